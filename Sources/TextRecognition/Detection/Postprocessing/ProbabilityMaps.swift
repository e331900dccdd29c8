/// Probability maps of regions that several tiles cover, stitched from the cores of their tiles.
///
/// The fourth stage of ``TextDetector``, behind inference. It takes the network's output for each tile and gives a map of the
/// whole region, so that no line is cut or detected twice where tiles meet. Its memory is a pooled buffer.
// Safe because the cores of tiles share no pixel, and no map is read before all tiles are there.
final class ProbabilityMaps: @unchecked Sendable {
    /// The place of a region's map in the buffer.
    private struct Layout {
        let start: Int
        let width: Int
        let height: Int
    }

    /// Bytes of the buffer that are kept for the next picture: a map of four megapixels; not measured.
    private static let keptBytes = 16 << 20

    private var buffer = ScratchBuffer<Float>()
    /// The maps in the buffer, by the indices of their regions.
    private var layouts: [Int: Layout] = [:]

    /// The indices of the regions that several tiles cover, in order.
    var regions: [Int] { self.layouts.keys.sorted() }

    /// Reserves the maps of those regions that several tiles of `atlases` cover.
    func reserve(for regions: [DetectionRegion], in atlases: [TileAtlas]) {
        self.layouts.removeAll(keepingCapacity: true)
        var count = 0
        for tile in atlases.flatMap(\.tiles) where !regions[tile.region].isCovered(by: tile) {
            guard self.layouts[tile.region] == nil else { continue }
            let size = regions[tile.region].mapSize
            self.layouts[tile.region] = Layout(start: count, width: size.width, height: size.height)
            count += size.width * size.height
        }
        self.buffer.reserve(count)
    }

    /// Forgets all maps, and frees the buffer after a large picture.
    func release() {
        self.layouts.removeAll(keepingCapacity: true)
        self.buffer.free(beyond: Self.keptBytes)
    }

    /// Returns the stitched map of a region; only to be read once all of its tiles are there.
    func map(of region: Int) -> ProbabilityMap? {
        self.layouts[region].map { layout in
            ProbabilityMap(
                base: UnsafePointer(self.buffer.base + layout.start),
                width: layout.width,
                height: layout.height,
                stride: layout.width
            )
        }
    }

    /// Copies the core of a tile's map into its region's map.
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - map: The network's output for it.
    /// - Returns: Whether several tiles cover the region; if not, nothing is copied.
    func stitch(_ tile: TileAtlas.Tile, from map: ProbabilityMap) -> Bool {
        guard let layout = self.layouts[tile.region] else { return false }
        let columns = tile.columns.core
        for row in tile.rows.core {
            let source = map.base + (row - tile.rows.start) * map.stride + columns.lowerBound - tile.columns.start
            let target = self.buffer.base + layout.start + row * layout.width + columns.lowerBound
            target.update(from: source, count: columns.count)
        }
        return true
    }
}
