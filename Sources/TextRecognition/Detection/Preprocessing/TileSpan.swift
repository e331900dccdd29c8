/// An interval of columns or rows of a scaled region that one tile covers, in pixels of the map.
///
/// Where a region is too long for one tile, neighbours overlap. Each tile then has a core, whose probabilities count, and a
/// halo around it, which gives the network the surroundings of the core and is discarded.
struct TileSpan {
    /// The first column or row.
    var start: Int
    /// The number of columns or rows, halo included.
    var length: Int
    /// The core: the columns or rows whose probabilities are taken from this tile.
    var core: Range<Int>

    /// Overlap of neighbouring tiles, in pixels: a halo of 64 for each.
    ///
    /// Not measured against other widths.
    static let overlap = 128

    /// Returns the spans that cover `total` pixels, with their cores side by side.
    ///
    /// - Parameters:
    ///   - total: The length to cover.
    ///   - maxLength: The most that a single tile covers.
    ///   - tileLength: The length of each of several tiles: more than ``overlap``, and at most `maxLength`.
    /// - Returns: One span, or several of one length.
    static func covering(_ total: Int, maxLength: Int, tileLength: Int) -> [TileSpan] {
        guard total > maxLength else { return [TileSpan(start: 0, length: total, core: 0..<total)] }
        let step = tileLength - Self.overlap
        let count = (total - Self.overlap + step - 1) / step
        var coreStart = 0
        return (0..<count).map { index in
            // The last tile is moved back to end with the region, so that all have one length.
            let start = min(index * step, total - tileLength)
            let coreEnd = index + 1 < count ? start + tileLength - Self.overlap / 2 : total
            defer { coreStart = coreEnd }
            return TileSpan(start: start, length: tileLength, core: coreStart..<coreEnd)
        }
    }
}
