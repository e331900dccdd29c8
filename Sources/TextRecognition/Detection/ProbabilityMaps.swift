/// The maps of pictures of which a detection network sees one piece after the other, put together from those of the pieces.
// Safe because pieces share no pixel that is kept, and nothing is looked at before all are there.
final class ProbabilityMaps: @unchecked Sendable {
    private var numbers = ScratchBuffer<Float>()
    /// Of each picture that lies in pieces, where its map begins, and its width.
    private var places: [Int: (start: Int, width: Int)] = [:]

    /// The pictures that lie in pieces, by their indices.
    var pictures: [Int] { self.places.keys.sorted() }

    /// Makes room for the maps of those pictures that lie on sheets in pieces.
    func makeRoom(for pictures: [DetectionRegion], on sheets: [TileAtlas]) {
        self.places.removeAll(keepingCapacity: true)
        var count = 0
        for piece in sheets.flatMap(\.pieces) where !pictures[piece.picture].isWhole(in: piece) {
            guard self.places[piece.picture] == nil else { continue }
            let size = pictures[piece.picture].size
            self.places[piece.picture] = (count, size.width)
            count += size.width * size.height
        }
        self.numbers.reserve(count)
    }

    /// The map of a picture that lies in pieces.
    func map(of picture: Int) -> UnsafePointer<Float> {
        UnsafePointer(self.numbers.base + (self.places[picture]?.start ?? 0))
    }

    /// Puts what is kept of a piece's map into its picture's.
    ///
    /// - Returns: Whether the picture lies in pieces; if not, nothing is kept.
    func keep(_ piece: TileAtlas.Piece, of values: UnsafePointer<Float>, stride: Int) -> Bool {
        guard let (start, width) = self.places[piece.picture] else { return false }
        let columns = piece.columns.kept
        for row in piece.rows.kept {
            let from = values + (row - piece.rows.start) * stride + columns.lowerBound - piece.columns.start
            (self.numbers.base + start + row * width + columns.lowerBound).update(from: from, count: columns.count)
        }
        return true
    }
}
