internal import TextModel

/// Margin of a tile in a network's input, in the colour of the tile's border.
///
/// Where a picture is cut off closely, its letters touch the edge, and a network sees no line: it needs to see where letters
/// end. Repeating the pixels of the edge would draw the letters out.
enum TileMargin {
    /// Fills a tile's slot but for the tile, which is in the input.
    static func fill(around tile: TileAtlas.Tile, shape: InputShape, in tensor: UnsafeMutableBufferPointer<UInt8>) {
        guard let base = tensor.baseAddress else { return }
        let (slot, content) = (tile.slot, tile.content)
        let colour = Self.colour(around: content, shape: shape, base)
        func fill(_ columns: Range<Int>, in row: Int) {
            for column in columns {
                let pixel = base + row * shape.bytesPerRow + InputShape.channelCount * column
                for channel in colour.indices { pixel[channel] = colour[channel] }
            }
        }
        for row in slot.y..<slot.y + slot.height {
            if row < content.y || row >= content.y + content.height {
                fill(slot.x..<slot.x + slot.width, in: row)
            } else {
                fill(slot.x..<content.x, in: row)
                fill(content.x + content.width..<slot.x + slot.width, in: row)
            }
        }
    }

    /// Medians of the channels of a tile's outermost pixels: the ground, unless most of the border is text.
    private static func colour(around content: PixelRect, shape: InputShape, _ base: UnsafePointer<UInt8>) -> [UInt8] {
        let (right, bottom) = (content.x + content.width - 1, content.y + content.height - 1)
        let rows = (content.x...right).flatMap { [($0, content.y), ($0, bottom)] }
        let columns = (content.y...bottom).flatMap { [(content.x, $0), (right, $0)] }
        let border = rows + columns
        return (0..<InputShape.channelCount).map { channel in
            let values = border.map { x, y in base[y * shape.bytesPerRow + InputShape.channelCount * x + channel] }
                .sorted()
            return values[values.count / 2]
        }
    }
}
