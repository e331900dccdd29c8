import ImageCodecs
import GlyphwireProtocol
import TextModel
import TextRecognition

/// A picture with signs whose letters are blots, each letter its own.
struct Scene {
    struct Sign {
        var text: String
        /// The top-left corner of its first letter.
        var x: Int
        var y: Int
        /// Whether a detector finds it.
        var isFound = true
        /// How many pixels beyond its last letter a detector takes it to reach.
        var reach = 0

        var width: Int { self.text.count * Scene.letterWidth }

        /// From the first of its letters that are shown to the last; `nil` where none is.
        func only(_ isShown: (Sign) -> Bool) -> Sign? {
            let shown = self.text.enumerated().filter { index, letter in
                letter != " "
                    && isShown(Sign(text: String(letter), x: self.x + index * Scene.letterWidth, y: self.y))
            }.map(\.offset)
            guard let first = shown.first, let last = shown.last else { return nil }
            let text = String(Array(self.text)[first...last])
            var sign = self
            (sign.text, sign.x) = (text, self.x + first * Scene.letterWidth)
            return sign
        }
    }

    var signs: [Sign] = []
    var width = 640
    var height = 384
    /// How far the camera has moved to the right and down.
    var pan = (x: 0, y: 0)
    /// Brightness of everything, 1 as it is.
    var light: Float = 1
    /// How far the sensor's noise reaches.
    var noise = 0
    var seed: UInt64 = 1
    /// How many quarters clockwise the picture must be turned to stand upright, as all else here is reported.
    var quarters = 0
    /// What is drawn over all of it: left, top, width, height.
    var cover: (x: Int, y: Int, width: Int, height: Int)?

    static let letterWidth = 18
    static let letterHeight = 21

    func picture() -> PixelBuffer {
        var values = [Float](repeating: 200, count: self.width * self.height)
        for sign in self.signs {
            for (index, letter) in sign.text.enumerated() {
                Self.draw(
                    letter,
                    x: sign.x - self.pan.x + index * Self.letterWidth,
                    y: sign.y - self.pan.y,
                    self.width,
                    self.height,
                    &values
                )
            }
        }
        if let cover = self.cover {
            for y in cover.y..<cover.y + cover.height {
                for x in cover.x..<cover.x + cover.width { values[y * self.width + x] = 120 }
            }
        }
        var random = SplitMix64(self.seed)
        var picture = PixelBuffer(width: self.width, height: self.height, format: .gray)
        picture.withMutableBytes { bytes in
            for index in 0..<bytes.count {
                let noise = self.noise == 0 ? 0 : Int(random.next() >> 33) % (2 * self.noise + 1) - self.noise
                bytes[index] = UInt8(max(0, min(255, Int(values[index] * self.light) + noise)))
            }
        }
        return picture.upright(from: Orientation.up.turned(byQuarterTurns: -self.quarters))
    }

    /// Where a sign is, in pixels of the picture.
    func quad(of sign: Sign, margin: Float = 0) -> Quad {
        let (left, top) = (Float(sign.x - self.pan.x) - margin, Float(sign.y - self.pan.y) - margin)
        let (right, bottom) = (left + Float(sign.width) + 2 * margin, top + Float(Self.letterHeight) + 2 * margin)
        let upright = Quad(
            topLeft: Point(x: left, y: top),
            topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: left, y: bottom)
        )
        let camera = Orientation.up.turned(byQuarterTurns: self.quarters)
        let size = camera.uprightSize(width: self.width, height: self.height)
        return upright.mapCorners { camera.sent($0, width: size.width, height: size.height) }
    }

    /// Blots of 3 x 3 pixels in 5 columns and 7 rows, which follow from the letter.
    private static func draw(_ letter: Character, x: Int, y: Int, _ width: Int, _ height: Int, _ values: inout [Float])
    {
        guard letter != " " else { return }
        var random = SplitMix64(letter.unicodeScalars.reduce(0) { $0 * 31 + UInt64($1.value) })
        for row in 0..<7 {
            for column in 0..<5 where Bool.random(using: &random) {
                for dy in 0..<3 {
                    for dx in 0..<3 {
                        let (px, py) = (x + column * 3 + dx, y + row * 3 + dy)
                        if (0..<width).contains(px), (0..<height).contains(py) { values[py * width + px] = 30 }
                    }
                }
            }
        }
    }
}

/// Numbers that look random and are the same in every run (Steele et al., SplitMix64).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { self.state = seed }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
