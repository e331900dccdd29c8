internal import TextModel

/// A part of the frame that is looked at by itself.
struct DetectionRegion {
    /// In upright pixels.
    let rect: PixelRect
    /// Of the part, resized.
    let size: (width: Int, height: Int)

    /// What a piece of it shows, in upright pixels.
    func rect(of piece: TileAtlas.Piece) -> PixelRect {
        func rect(
            _ span: TileSpan,
            _ origin: Int,
            _ length: Int,
            _ resized: Int
        ) -> (start: Int, length: Int) {
            let scale = Float(length) / Float(resized)
            let start = min(length - 1, Int((Float(span.start) * scale).rounded()))
            let end = min(length, max(start + 1, Int((Float(span.start + span.length) * scale).rounded())))
            return (origin + start, end - start)
        }
        let columns = rect(piece.columns, self.rect.x, self.rect.width, self.size.width)
        let rows = rect(piece.rows, self.rect.y, self.rect.height, self.size.height)
        return PixelRect(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
    }

    /// Whether a piece shows all of it.
    func isWhole(in piece: TileAtlas.Piece) -> Bool {
        (piece.columns.kept.count, piece.rows.kept.count) == self.size
    }
}
