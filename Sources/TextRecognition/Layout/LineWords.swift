internal import TextModel

/// Words of a line, as far as they show where its text was broken.
struct LineWords {
    /// The number of words; 0 where it is unknown.
    var count = 0
    /// The width of the first one in pixels.
    var firstWidth: Float = 0
}

extension LineWords {
    init(_ line: TextLine) {
        self.init(count: line.words.count, firstWidth: line.words.first?.box.width ?? 0)
    }
}
