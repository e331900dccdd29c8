@testable import TextRecognition

/// A straightened line of plain rectangles of ink.
struct InkLine {
    let width: Int
    let height: Int
    private(set) var gray: [Float]
    private let ink: Float

    init(width: Int, height: Int = 48, paper: Float = 220, ink: Float = 30) {
        (self.width, self.height, self.ink) = (width, height, ink)
        self.gray = [Float](repeating: paper, count: width * height)
    }

    /// The line with ink where `boxes` are.
    func drawing(_ boxes: BoundingBox...) -> InkLine {
        var line = self
        for box in boxes {
            for y in Int(box.y0)..<Int(box.y1) {
                for x in Int(box.x0)..<Int(box.x1) { line.gray[y * self.width + x] = self.ink }
            }
        }
        return line
    }

    /// The line with less than full ink where `box` is, as at the edge of a letter.
    func drawing(_ share: Float, _ box: BoundingBox) -> InkLine {
        var line = self
        for y in Int(box.y0)..<Int(box.y1) {
            for x in Int(box.x0)..<Int(box.x1) {
                let paper = line.gray[y * self.width + x]
                line.gray[y * self.width + x] = paper + share * (self.ink - paper)
            }
        }
        return line
    }

    /// The line in a light of which each column gets a share.
    func shaded(by share: (Int) -> Float) -> InkLine {
        var line = self
        for index in line.gray.indices { line.gray[index] *= share(index % self.width) }
        return line
    }

    /// Boxes of characters at `centres`, all of one word and as wide as one another unless it is said otherwise.
    func placed(at centres: [Float], glyphWidths: [Float]? = nil, words: [Range<Int>]? = nil) -> [BoundingBox] {
        var placer = CharacterLocalizer()
        return placer.place(
            centres: centres,
            glyphWidths: glyphWidths ?? centres.map { _ in 0.5 },
            words: words ?? [centres.indices],
            gray: self.gray,
            width: self.width,
            height: self.height
        )
    }

    /// Boxes of letters by ink alone.
    func letters() -> [BoundingBox] {
        var segmenter = CharacterSegmenter()
        return segmenter.letters(gray: self.gray, width: self.width, height: self.height)
    }
}

extension BoundingBox {
    /// From `x0` to `x1`, over most of a line's height.
    init(_ x0: Float, _ x1: Float, y0: Float = 10, y1: Float = 38) {
        self.init(x0: x0, y0: y0, x1: x1, y1: y1)
    }

    /// Its four edges.
    var edges: [Float] { [self.x0, self.y0, self.x1, self.y1] }
}

extension [BoundingBox] {
    /// The edges of all.
    var edges: [[Float]] { self.map(\.edges) }
}
