/// Finds the letters of a straightened line by their ink alone, without reading it.
///
/// Pieces that stand above one another (a dot and its stem, a letter and its accent) make one letter; letters that touch
/// stay together.
struct InkSegmenter: ~Copyable {
    private var ink = InkMap()
    private var labeler = ComponentLabeler()

    /// Pieces that share at least this much of the narrower one's width belong together.
    private static let sharedWidth: Float = 0.5
    /// Pieces smaller than this share of the line's height squared are specks.
    private static let minArea: Float = 0.002

    /// The letters of a line from left to right; empty where it has no usable ink.
    mutating func letters(gray: UnsafePointer<Float>, width: Int, height: Int) -> [InkBox] {
        guard self.ink.measure(gray, width: width, height: height) else { return [] }
        self.labeler.label(
            self.ink.ink,
            width: width,
            height: height,
            stride: width,
            above: CharacterPlacer.threshold,
            longestRun: height
        )
        let all = (0..<self.labeler.componentCount).map { LinePiece(self.labeler.runs(of: $0)) }
        let core = LinePiece.core(of: all, height: height)
        let pieces = all.filter { piece in
            piece.area >= Self.minArea * Float(height * height) && !piece.isForeign(core: core, height: height)
        }.map(\.box).sorted { $0.x0 < $1.x0 }
        var letters: [InkBox] = []
        for piece in pieces {
            guard let last = letters.last else {
                letters.append(piece)
                continue
            }
            let shared = min(last.x1, piece.x1) - max(last.x0, piece.x0)
            if shared >= Self.sharedWidth * min(last.x1 - last.x0, piece.x1 - piece.x0) {
                letters[letters.count - 1] = last.union(piece)
            } else {
                letters.append(piece)
            }
        }
        return letters
    }
}
