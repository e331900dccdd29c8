/// A run of columns or rows of a resized picture that one look takes in.
///
/// Where a picture is too long for a single look, neighbours overlap, so that a network sees what surrounds all of the
/// picture that it is asked about; of its map only the inner part is kept.
struct TileSpan {
    var start: Int
    var length: Int
    /// Those of which the map is kept.
    var kept: Range<Int>

    /// Pixels that neighbours share.
    static let overlap = 128

    /// The spans that cover `total` pixels; their kept parts lie side by side.
    ///
    /// - Parameters:
    ///   - total: How many there are.
    ///   - most: How many fit into a single span.
    ///   - length: Of each span where there are several; more than ``overlap``, and at most `most`.
    /// - Returns: One span or, each of the same length, several.
    static func covering(_ total: Int, most: Int, length: Int) -> [TileSpan] {
        guard total > most else { return [TileSpan(start: 0, length: total, kept: 0..<total)] }
        let step = length - Self.overlap
        let count = (total - Self.overlap + step - 1) / step
        var end = 0
        return (0..<count).map { index in
            let start = min(index * step, total - length)
            let next = index + 1 < count ? start + length - Self.overlap / 2 : total
            defer { end = next }
            return TileSpan(start: start, length: length, kept: end..<next)
        }
    }
}
