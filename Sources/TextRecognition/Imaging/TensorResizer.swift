internal import ImageCodecs
internal import TextModel

/// A part of a picture, in whole sent pixels.
package struct PixelRect: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// Resizes a part of a frame into a network's input, upright, in one pass over its rows.
///
/// The frame is turned before it is resized, so that a network's input is the same byte by byte for all orientations of one
/// picture. Rows are mixed before columns: that needs whole rows of neighbours only, and leaves fewer rows to the columns.
struct TensorResizer: ~Copyable {
    private var columns = ResizeFilter(from: 1, to: 1)
    private var rows = ResizeFilter(from: 1, to: 1)
    private var source = UprightRows()
    /// A row of the resized height, still of the full width.
    private var mixed = ScratchBuffer<Float>()

    /// Fills a slot of `tensor`.
    ///
    /// - Parameters:
    ///   - view: The frame as it was sent.
    ///   - rect: The part of it to resize, inside `view`.
    ///   - orientation: How the frame must be turned to stand upright.
    ///   - size: Of the resized part in upright pixels.
    ///   - slot: Where in the input it goes, at least as large. What it leaves of that at the right and the bottom is filled
    ///     with ``InputShape/margin``.
    ///   - shape: Of the input.
    ///   - tensor: The input.
    mutating func resize(
        _ view: PixelView,
        rect: PixelRect,
        orientation: Orientation,
        to size: (width: Int, height: Int),
        slot: PixelRect,
        shape: InputShape,
        into tensor: UnsafeMutableBufferPointer<UInt8>
    ) {
        guard let tensor = tensor.baseAddress else { return }
        let part = UprightPart(of: view, rect, orientation: orientation)
        self.prepare(part, size: size)
        let isCopy = (part.width, part.height) == size
        for y in 0..<slot.height {
            let row = tensor + (slot.y + y) * shape.bytesPerRow + 3 * slot.x
            let filled = y < size.height ? size.width : 0
            if filled > 0, isCopy {
                self.source.hold(y..<y + 1, of: part)
                InputRow.copy(self.source.row(y, of: part), part.format, count: filled, to: row)
            } else if filled > 0 {
                self.mixRows(for: y, of: part)
                InputRow.resize(UnsafePointer(self.mixed.base), part.format, self.columns, to: row)
            }
            (row + 3 * filled).update(repeating: InputShape.margin, count: 3 * (slot.width - filled))
        }
    }

    private mutating func prepare(_ part: UprightPart, size: (width: Int, height: Int)) {
        if self.columns.sourceCount != part.width || self.columns.targetCount != size.width {
            self.columns = ResizeFilter(from: part.width, to: size.width)
        }
        if self.rows.sourceCount != part.height || self.rows.targetCount != size.height {
            self.rows = ResizeFilter(from: part.height, to: size.height)
        }
        self.source.rewind()
        self.mixed.reserve(part.width * part.format.bytesPerPixel)
    }

    /// Mixes the rows that make up the resized row `y`.
    private mutating func mixRows(for y: Int, of part: UprightPart) {
        let taps = self.rows.tapCount
        let start = Int(self.rows.starts[y])
        let count = part.width * part.format.bytesPerPixel
        let mixed = self.mixed.base
        self.source.hold(start..<start + taps, of: part)
        for tap in 0..<taps {
            let weight = self.rows.weights[y * taps + tap]
            let row = self.source.row(start + tap, of: part)
            if tap == 0 {
                for index in 0..<count { mixed[index] = Float(row[index]) * weight }
            } else if weight > 0 {
                for index in 0..<count { mixed[index] += Float(row[index]) * weight }
            }
        }
    }
}

/// Writes rows of a network's input, three bytes a pixel.
private enum InputRow {
    /// Copies a row of pixels, at least one.
    static func copy(
        _ pixels: UnsafePointer<UInt8>,
        _ format: PixelFormat,
        count: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        var place = target
        switch format {
        case .bgra:
            // Four bytes at once, of which the next pixel overwrites the last; only the row's last pixel has no next.
            let source = UnsafeRawPointer(pixels)
            for x in 0..<count - 1 {
                UnsafeMutableRawPointer(place).storeBytes(
                    of: source.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self),
                    as: UInt32.self
                )
                place += 3
            }
            place.update(from: pixels + 4 * (count - 1), count: 3)
        case .gray:
            for x in 0..<count {
                place.update(repeating: pixels[x], count: 3)
                place += 3
            }
        }
    }

    /// Resizes a row of numbers, as many a pixel as `format` has bytes.
    static func resize(
        _ numbers: UnsafePointer<Float>,
        _ format: PixelFormat,
        _ columns: ResizeFilter,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        let taps = columns.tapCount
        columns.weights.withUnsafeBufferPointer { weights in
            columns.starts.withUnsafeBufferPointer { starts in
                var place = target
                for x in 0..<columns.targetCount {
                    let start = Int(starts[x])
                    switch format {
                    case .bgra:
                        // Half is added for rounding; weights sum to 1, so no sum comes near 256.
                        var sum = SIMD4<Float>(repeating: 0.5)
                        for tap in 0..<taps {
                            let pixel = UnsafeRawPointer(numbers + 4 * (start + tap))
                            sum += pixel.loadUnaligned(as: SIMD4<Float>.self) * weights[x * taps + tap]
                        }
                        place[0] = UInt8(sum.x)
                        place[1] = UInt8(sum.y)
                        place[2] = UInt8(sum.z)
                    case .gray:
                        var sum: Float = 0.5
                        for tap in 0..<taps { sum += numbers[start + tap] * weights[x * taps + tap] }
                        place.update(repeating: UInt8(sum), count: 3)
                    }
                    place += 3
                }
            }
        }
    }
}
