/// Finds the letters of a straightened line by their ink alone, without reading it.
///
/// Pieces that stand above one another (a dot and its stem, a letter and its accent) make one letter; what is too wide for
/// one is cut.
struct InkSegmenter: ~Copyable {
    private var ink = InkMap()
    private var labeler = ComponentLabeler()

    /// Pieces smaller than this share of the line's height squared are specks.
    private static let minArea: Float = 0.002

    /// The letters of a line from left to right; empty where it has no usable ink.
    mutating func letters(gray: UnsafePointer<Float>, width: Int, height: Int) -> [InkBox] {
        guard self.ink.measure(gray, width: width, height: height) else { return [] }
        let all = LinePiece.pieces(of: self.ink, by: &self.labeler)
        let core = LinePiece.core(of: all, height: height)
        let pieces = all.filter { piece in
            piece.area >= Self.minArea * Float(height * height) && !piece.isForeign(core: core, height: height)
        }
        let letters = LinePiece.letters(of: pieces)
        let typical = InkBox.typicalHeight(of: letters)
        return letters.flatMap { LetterCutter.letters(in: $0, height: typical, ink: self.ink) }.sorted { $0.x0 < $1.x0 }
    }
}
