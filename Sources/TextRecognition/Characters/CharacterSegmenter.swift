/// Finds the letters of a straightened line by their ink alone, without reading it.
///
/// Pieces that stand above one another (a dot and its stem, a letter and its accent) make one letter; what is too wide for
/// one is cut.
struct CharacterSegmenter: ~Copyable {
    private var ink = ForegroundMask()
    private var labeler = ComponentLabeler()

    /// Pieces smaller than this share of the line's height squared are specks.
    private static let minArea: Float = 0.002

    /// The letters of a line from left to right; empty where it has no usable ink.
    mutating func letters(gray: UnsafePointer<Float>, width: Int, height: Int) -> [BoundingBox] {
        guard self.ink.measure(gray, width: width, height: height) else { return [] }
        let pieces = ConnectedComponent.pieces(of: self.ink, by: &self.labeler)
        let core = ConnectedComponent.core(of: pieces, height: height)
        let own = pieces.indices.filter { index in
            pieces[index].area >= Self.minArea * Float(height * height)
                && !pieces[index].isForeign(core: core, height: height)
        }
        let letters = ConnectedComponent.letters(of: own.map { pieces[$0] })
        let cutter = TouchingCharacterSplitter(height: BoundingBox.typicalHeight(of: letters.map(\.box)))
        return letters.flatMap { letter in
            guard cutter.mayCut(letter.box) else { return [letter.box] }
            let runs = letter.pieces.flatMap { self.labeler.runs(of: own[$0]) }
            return cutter.letters(in: letter.box, of: runs, ink: self.ink)
        }.sorted { $0.x0 < $1.x0 }
    }
}
