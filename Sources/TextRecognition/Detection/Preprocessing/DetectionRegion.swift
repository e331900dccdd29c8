internal import TextModel

/// A region that is scanned by itself: all of what is requested, or one part of it.
///
/// It maps between upright pixels of the frame and pixels of the region's probability map.
struct DetectionRegion {
    /// The region in upright pixels.
    let rect: PixelRect
    /// The size of its probability map, which is that of the scaled region.
    let mapSize: (width: Int, height: Int)

    /// Returns the rectangle that a tile of the region shows, in upright pixels.
    func rect(of tile: TileAtlas.Tile) -> PixelRect {
        let columns = Self.interval(of: tile.columns, in: self.rect.width, mapLength: self.mapSize.width)
        let rows = Self.interval(of: tile.rows, in: self.rect.height, mapLength: self.mapSize.height)
        return PixelRect(
            x: self.rect.x + columns.lowerBound,
            y: self.rect.y + rows.lowerBound,
            width: columns.count,
            height: rows.count
        )
    }

    /// Returns the upright pixels of a span, at least one, counted from the region's edge.
    private static func interval(of span: TileSpan, in length: Int, mapLength: Int) -> Range<Int> {
        let scale = Float(length) / Float(mapLength)
        let start = min(length - 1, Int((Float(span.start) * scale).rounded()))
        let end = min(length, max(start + 1, Int((Float(span.start + span.length) * scale).rounded())))
        return start..<end
    }

    /// Returns whether a tile shows all of the region.
    func isCovered(by tile: TileAtlas.Tile) -> Bool {
        (tile.columns.core.count, tile.rows.core.count) == self.mapSize
    }

    /// Returns a rectangle of the probability map in upright pixels of the whole frame.
    ///
    /// Both axes are scaled nearly alike (they differ by the rounding of the map's size), so a rectangle stays one.
    func upright(_ mapRect: RotatedRect) -> RotatedRect {
        let scaleX = Float(self.rect.width) / Float(self.mapSize.width)
        let scaleY = Float(self.rect.height) / Float(self.mapSize.height)
        var upright = mapRect
        upright.centre = Point(
            x: mapRect.centre.x * scaleX + Float(self.rect.x),
            y: mapRect.centre.y * scaleY + Float(self.rect.y)
        )
        // Each side takes the scales of both axes, in shares that go with its direction.
        let along = abs(mapRect.axis.x)
        upright.width *= along * scaleX + (1 - along) * scaleY
        upright.height *= along * scaleY + (1 - along) * scaleX
        return upright
    }
}
