import ImageCodecs
import GlyphwireProtocol
import TextModel

@testable import TextRecognition

/// A page in a script that stub networks can read.
///
/// A line is a light bar on white paper. Each letter is a dark block whose green level encodes the letter; its lower
/// half is red, so that it reads badly upside down.
struct PrintedPage {
    /// A line of text, with the position of its bar.
    struct Line {
        var text: String
        var x: Int
        var y: Int
        var height: Int
        /// A third of a letter's width, which is also the gap after it.
        var pitch: Int

        init(text: String, x: Int, y: Int, height: Int, pitch: Int? = nil) {
            (self.text, self.x, self.y, self.height) = (text, x, y, height)
            self.pitch = pitch ?? height * 3 / 10
        }

        var width: Int { (self.text.count * 3 + 1) * self.pitch }
        var box: Quad { Quad(x: Float(self.x), y: Float(self.y), width: Float(self.width), height: Float(self.height)) }

        /// Boxes of its letters' ink, without spaces.
        var letters: [Quad] {
            self.text.indices.enumerated().filter { self.text[$1] != " " }.map { index, _ in
                Quad(
                    x: Float(self.x + (index * 3 + 1) * self.pitch),
                    y: Float(self.y + self.height / 5),
                    width: Float(2 * self.pitch),
                    height: Float(self.height - 2 * (self.height / 5))
                )
            }
        }
    }

    static let alphabet = Alphabet(list: "A\nB\nC\nD\nE")

    let pixels: PixelBuffer

    init(width: Int, height: Int, _ lines: [Line]) {
        var painted = [[UInt8]](repeating: [255, 255, 255, 0], count: width * height)
        func fill(_ quad: Quad, _ colour: [UInt8]) {
            for y in Int(quad.topLeft.y)..<Int(quad.bottomRight.y) {
                for x in Int(quad.topLeft.x)..<Int(quad.bottomRight.x) { painted[y * width + x] = colour }
            }
        }
        for line in lines {
            fill(line.box, [200, 200, 200, 0])
            for (letter, quad) in zip(line.text.filter { $0 != " " }, line.letters) {
                let green = UInt8(20 * (Self.alphabet.characters.firstIndex(of: String(letter)) ?? 0))
                fill(quad, [0, green, 0, 0])
                let half = (quad.bottomRight.y - quad.topLeft.y) / 2
                fill(quad.mapCorners { Point(x: $0.x, y: max($0.y, quad.topLeft.y + half)) }, [0, green, 120, 0])
            }
        }
        self.pixels = PixelBuffer(width: width, height: height, format: .bgra) { x, y, channel in
            painted[y * width + x][channel]
        }
    }

    /// A reader of such pages.
    static func reader() -> FrameReader {
        FrameReader([
            .fast: LevelModels(
                detector: Self.detector(),
                recognizer: RecognizerModel(model: Self.recognizer(), alphabet: Self.alphabet)
            )
        ])
    }

    /// Detector that marks all but paper.
    static func detector() -> StubModel<Float> {
        StubModel<Float> { shape, input in
            let map = (0..<shape.pixelCount).map { input[3 * $0] < 240 ? Float(0.9) : 0 }
            return (map, [1, shape.height, shape.width])
        }
    }

    /// Recognizer of the blocks that cross the middle row, with `confidence` for upright letters and less for others unless
    /// said, and of wide gaps as spaces.
    static func recognizer(
        readsSpaces: Bool = true,
        confidence: Float = 0.95,
        upsideDownConfidence: Float? = nil
    ) -> StubModel<BFloat16> {
        let upsideDownConfidence = upsideDownConfidence ?? min(0.55, confidence - 0.05)
        return StubModel<BFloat16> { shape, input in
            let stepCount = shape.width / 8
            let classCount = Self.alphabet.count
            var values = (0..<stepCount).flatMap { _ in [1] + [Float](repeating: 0, count: classCount - 1) }
            func say(_ label: Int, _ probability: Float, at column: Int) {
                let row = column / 8 * classCount
                values[row] = 1 - probability
                if probability < 0.5 {
                    // Spread, so that the letter is read nevertheless.
                    for other in 0..<classCount { values[row + other] = (1 - probability) / Float(classCount - 1) }
                }
                values[row + label] = probability
            }
            func colour(_ channel: Int, _ column: Int, _ row: Int) -> Float {
                Float(input[shape.index(column, row, channel)])
            }
            var column = 0
            var previousEnd: Int?
            while column < shape.width {
                var end = column
                while end < shape.width, colour(0, end, 24) < 100 { end += 1 }
                if end - column >= 3 {
                    if readsSpaces, let previousEnd, column - previousEnd > 16 {
                        say(classCount - 1, 0.9, at: (previousEnd + column) / 2)
                    }
                    previousEnd = end
                    let middle = (column + end) / 2
                    let label = max(1, min(classCount - 2, Int((colour(1, middle, 24) / 20).rounded())))
                    let isUpright = colour(2, middle, 28) - colour(2, middle, 20) > 60
                    say(label, isUpright ? confidence : upsideDownConfidence, at: middle)
                }
                column = max(end, column + 1)
            }
            return (values, [stepCount, classCount])
        }
    }
}
