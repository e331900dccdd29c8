import ImageCodecs
import GlyphwireProtocol
import SeededRandom
import TextModel
import TextRecognition

/// Synthetic scene of signs, in which each letter is a pattern of blots.
struct Scene {
    struct Sign {
        var text: String
        /// The top-left corner of its first letter.
        var x: Int
        var y: Int
        /// Whether a detector detects it.
        var isFound = true
        /// Pixels beyond its last letter by which a detection extends.
        var reach = 0
        /// Opacity, 0...1.
        var opacity: Float = 1

        var width: Int { self.text.count * Scene.letterWidth }

        /// Signs of its letters, one by one.
        var letters: [Sign] {
            self.text.enumerated().map { Sign(text: String($1), x: self.x + $0 * Scene.letterWidth, y: self.y) }
        }

        /// Section from the first of its visible letters to the last, with spaces for those between that are not; `nil` where none
        /// is visible.
        func only(_ isShown: (Sign) -> Bool) -> Sign? {
            let letters = self.letters.map { isShown($0) ? $0.text : " " }
            guard let first = letters.firstIndex(where: { $0 != " " }),
                let last = letters.lastIndex(where: { $0 != " " })
            else { return nil }
            var sign = self
            (sign.text, sign.x) = (letters[first...last].joined(), self.x + first * Scene.letterWidth)
            return sign
        }

        /// Sections without letters between that are not visible.
        func sections(_ isShown: (Sign) -> Bool) -> [Sign] {
            let runs = self.letters.split { $0.text != " " && !isShown($0) }
            return runs.compactMap { run in
                var sign = self
                (sign.text, sign.x) = (run.map(\.text).joined(), run[run.startIndex].x)
                return sign.only { _ in true }
            }
        }
    }

    var signs: [Sign] = []
    var width = 640
    var height = 384
    /// Camera position: pixels to the right and down.
    var pan = (x: 0, y: 0)
    /// Gain of the brightness.
    var light: Float = 1
    /// Amplitude of the sensor's noise.
    var noise = 0
    var seed: UInt64 = 1
    /// Clockwise quarter turns that bring the picture upright; all else here is in the upright picture.
    var quarterTurns = 0
    /// Rectangle with blocks of random brightness, by ``seed``, behind the signs: left, top, width, height.
    var ground: (x: Int, y: Int, width: Int, height: Int)?
    /// Occluding rectangle: left, top, width, height.
    var cover: (x: Int, y: Int, width: Int, height: Int)?

    /// Opacity from which a sign is read.
    var minOpacity: Float = 0.3
    static let letterWidth = 18
    static let letterHeight = 21

    func picture() -> PixelBuffer {
        var values = [Float](repeating: 200, count: self.width * self.height)
        self.drawGround(&values)
        for sign in self.signs {
            for (index, letter) in sign.text.enumerated() {
                Self.draw(
                    letter,
                    x: sign.x - self.pan.x + index * Self.letterWidth,
                    y: sign.y - self.pan.y,
                    self.width,
                    self.height,
                    opacity: sign.opacity,
                    &values
                )
            }
        }
        if let cover = self.cover {
            for y in (cover.y..<cover.y + cover.height).clamped(to: 0..<self.height) {
                for x in (cover.x..<cover.x + cover.width).clamped(to: 0..<self.width) {
                    values[y * self.width + x] = 120
                }
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
        return picture.upright(from: Orientation.up.turned(byQuarterTurns: -self.quarterTurns))
    }

    /// Box of a sign in pixels of the picture.
    func quad(of sign: Sign, margin: Float = 0) -> Quad {
        let (left, top) = (Float(sign.x - self.pan.x) - margin, Float(sign.y - self.pan.y) - margin)
        let (right, bottom) = (left + Float(sign.width) + 2 * margin, top + Float(Self.letterHeight) + 2 * margin)
        let upright = Quad(
            topLeft: Point(x: left, y: top),
            topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: left, y: bottom)
        )
        let camera = Orientation.up.turned(byQuarterTurns: self.quarterTurns)
        let size = camera.uprightSize(width: self.width, height: self.height)
        return upright.mapCorners { camera.sent($0, width: size.width, height: size.height) }
    }

    /// Whether a letter of a sign is neither faint nor covered.
    func isVisible(_ letter: Sign, of sign: Sign) -> Bool {
        guard sign.opacity >= self.minOpacity else { return false }
        guard let cover = self.cover else { return true }
        let (x, y) = (letter.x - self.pan.x + Self.letterWidth / 2, letter.y - self.pan.y + Self.letterHeight / 2)
        return x < cover.x || y < cover.y || x >= cover.x + cover.width || y >= cover.y + cover.height
    }

    private func drawGround(_ values: inout [Float]) {
        guard let ground = self.ground else { return }
        for y in (ground.y..<ground.y + ground.height).clamped(to: 0..<self.height) {
            for x in (ground.x..<ground.x + ground.width).clamped(to: 0..<self.width) {
                var random = SplitMix64(self.seed &* 1_000_003 &+ UInt64(y / 6 * self.width + x / 6))
                values[y * self.width + x] = 60 + Float(random.next() % 180)
            }
        }
    }

    /// Draws a letter as blots of 3 x 3 pixels in 5 columns and 7 rows.
    private static func draw(
        _ letter: Character,
        x: Int,
        y: Int,
        _ width: Int,
        _ height: Int,
        opacity: Float,
        _ values: inout [Float]
    ) {
        guard letter != " " else { return }
        var random = SplitMix64(letter.unicodeScalars.reduce(0) { $0 * 31 + UInt64($1.value) })
        for row in 0..<7 {
            for column in 0..<5 where Bool.random(using: &random) {
                for dy in 0..<3 {
                    for dx in 0..<3 {
                        let (px, py) = (x + column * 3 + dx, y + row * 3 + dy)
                        guard (0..<width).contains(px), (0..<height).contains(py) else { continue }
                        values[py * width + px] += (30 - values[py * width + px]) * opacity
                    }
                }
            }
        }
    }
}
