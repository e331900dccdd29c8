@testable import TextRecognition

/// Straightened line of plain foreground rectangles.
struct SyntheticLine {
    let width: Int
    let height: Int
    private(set) var gray: [Float]
    private let foreground: Float

    init(width: Int, height: Int = 48, background: Float = 220, foreground: Float = 30) {
        (self.width, self.height, self.foreground) = (width, height, foreground)
        self.gray = [Float](repeating: background, count: width * height)
    }

    /// Returns the line with foreground in `boxes`.
    func drawing(_ boxes: BoundingBox...) -> SyntheticLine {
        var line = self
        for box in boxes {
            for y in Int(box.y0)..<Int(box.y1) {
                for x in Int(box.x0)..<Int(box.x1) { line.gray[y * self.width + x] = self.foreground }
            }
        }
        return line
    }

    /// Returns the line with a share of full foreground in `box`, as at the blurred edge of a letter.
    func drawing(_ share: Float, _ box: BoundingBox) -> SyntheticLine {
        var line = self
        for y in Int(box.y0)..<Int(box.y1) {
            for x in Int(box.x0)..<Int(box.x1) {
                let background = line.gray[y * self.width + x]
                line.gray[y * self.width + x] = background + share * (self.foreground - background)
            }
        }
        return line
    }

    /// Returns the line under uneven light: each column's intensities by a share.
    func shaded(by share: (Int) -> Float) -> SyntheticLine {
        var line = self
        for index in line.gray.indices { line.gray[index] *= share(index % self.width) }
        return line
    }

    /// Localizes characters at `centres`, by default of one word and equal advance widths.
    func localized(at centres: [Float], advanceWidths: [Float]? = nil, words: [Range<Int>]? = nil) -> [BoundingBox] {
        var localizer = CharacterLocalizer()
        return localizer.localize(
            .expected(at: centres, advanceWidths: advanceWidths),
            words: words ?? [centres.indices],
            gray: self.gray,
            width: self.width,
            height: self.height
        )
    }

    /// Segments the line without recognition.
    func segmented() -> [BoundingBox] {
        var segmenter = CharacterSegmenter()
        return segmenter.segment(gray: self.gray, width: self.width, height: self.height)
    }
}

extension BoundingBox {
    /// Creates a box from `x0` to `x1`, over most of a line's height.
    init(_ x0: Float, _ x1: Float, y0: Float = 10, y1: Float = 38) {
        self.init(x0: x0, y0: y0, x1: x1, y1: y1)
    }

    /// Four edges.
    var edges: [Float] { [self.x0, self.y0, self.x1, self.y1] }
}

extension [ExpectedCharacter] {
    /// Characters at `centres`, of equal advance widths by default.
    static func expected(at centres: [Float], advanceWidths: [Float]? = nil) -> Self {
        let widths = advanceWidths ?? centres.map { _ in 0.5 }
        return zip(centres, widths).map { ExpectedCharacter(centre: $0, advanceWidth: $1) }
    }
}

extension [BoundingBox] {
    /// Edges of all.
    var edges: [[Float]] { self.map(\.edges) }
}
