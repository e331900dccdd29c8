internal import ImageCodecs
internal import TextModel

/// A renderer of tile atlases into network inputs; for one thread at a time.
///
/// It takes rectangles of the frame in upright pixels, scales them to their tiles, and fills what is left with padding.
final class AtlasRenderer {
    private var resizer = TensorResizer()

    /// Renders an atlas of `regions` into the network's input, all of which is written.
    func render(
        _ atlas: TileAtlas,
        of regions: [DetectionRegion],
        in frame: UprightFrame,
        into tensor: UnsafeMutableBufferPointer<UInt8>
    ) {
        for tile in atlas.tiles {
            let content = tile.content
            self.resizer.resize(
                frame.view,
                rect: frame.sent(regions[tile.region].rect(of: tile)),
                orientation: frame.orientation,
                to: (tile.columns.length, tile.rows.length),
                slot: PixelRect(
                    x: content.x,
                    y: content.y,
                    width: tile.slot.width - tile.margin.x,
                    height: tile.slot.height - tile.margin.y
                ),
                shape: atlas.shape,
                into: tensor
            )
            if tile.margin != (0, 0) { TileMargin.fill(around: tile, shape: atlas.shape, in: tensor) }
        }
    }
}
