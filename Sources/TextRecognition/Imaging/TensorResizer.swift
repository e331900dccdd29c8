internal import ImageCodecs
internal import TextModel

/// A resizer of parts of a frame into a network's input, upright, in one pass over the rows.
///
/// It takes a rectangle in sent pixels and gives upright pixels of the input. The frame is turned before it is resized, so that
/// the input is the same, byte by byte, for all orientations of one picture. Rows are mixed before columns: that needs whole
/// rows of neighbours only, and leaves fewer rows to the columns.
struct TensorResizer: ~Copyable {
    /// The filter of the columns, kept for parts of the same width.
    private var columns = ResizeFilter(from: 1, to: 1)
    /// The filter of the rows, kept for parts of the same height.
    private var rows = ResizeFilter(from: 1, to: 1)
    private var source = UprightRows()
    /// Pooled buffer of one resized row, still of the part's width.
    private var mixedRow = ScratchBuffer<Float>()

    /// Resizes a part of a frame into a slot of the input.
    ///
    /// - Parameters:
    ///   - view: The frame as it was sent.
    ///   - rect: The part in sent pixels, inside `view`.
    ///   - orientation: How the frame must be turned to stand upright.
    ///   - size: The size of the resized part, in upright pixels.
    ///   - slot: The slot in the input, at least as large. What the part leaves of it at the right and the bottom is filled
    ///     with ``InputShape/paddingValue``.
    ///   - shape: The shape of the input.
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
        self.prepare(for: part, size: size)
        let isCopy = (part.width, part.height) == size
        for y in 0..<slot.height {
            let target = tensor + (slot.y + y) * shape.bytesPerRow + InputShape.channelCount * slot.x
            let filled = y < size.height ? size.width : 0
            if filled > 0, isCopy {
                self.source.hold(y..<y + 1, of: part)
                TensorRow.copy(self.source.row(y, of: part), format: part.format, count: filled, to: target)
            } else if filled > 0 {
                self.mixRows(for: y, of: part)
                TensorRow.resize(self.mixedRow.base, format: part.format, by: self.columns, to: target)
            }
            (target + InputShape.channelCount * filled)
                .update(repeating: InputShape.paddingValue, count: InputShape.channelCount * (slot.width - filled))
        }
    }

    /// Makes filters and buffers ready for a part.
    private mutating func prepare(for part: UprightPart, size: (width: Int, height: Int)) {
        if self.columns.sourceCount != part.width || self.columns.targetCount != size.width {
            self.columns = ResizeFilter(from: part.width, to: size.width)
        }
        if self.rows.sourceCount != part.height || self.rows.targetCount != size.height {
            self.rows = ResizeFilter(from: part.height, to: size.height)
        }
        self.source.rewind()
        self.mixedRow.reserve(part.width * part.format.bytesPerPixel)
    }

    /// Mixes the source rows of the resized row `y`.
    private mutating func mixRows(for y: Int, of part: UprightPart) {
        let taps = self.rows.tapCount
        let start = Int(self.rows.starts[y])
        let count = part.width * part.format.bytesPerPixel
        let mixed = self.mixedRow.base
        self.source.hold(start..<start + taps, of: part)
        for tap in 0..<taps {
            let weight = self.rows.weights[y * taps + tap]
            let row = self.source.row(start + tap, of: part)
            if tap == 0 {
                // The first row overwrites what the buffer held, so that it need not be cleared.
                for index in 0..<count { mixed[index] = Float(row[index]) * weight }
            } else if weight > 0 {
                for index in 0..<count { mixed[index] += Float(row[index]) * weight }
            }
        }
    }
}

/// Writers of rows of a network's input, three bytes a pixel.
private enum TensorRow {
    /// Copies a row of `count` pixels, at least one.
    static func copy(
        _ pixels: UnsafePointer<UInt8>,
        format: PixelFormat,
        count: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        var target = target
        switch format {
        case .bgra:
            // Four bytes at once, of which the next pixel overwrites the last; only the row's last pixel has no next.
            let source = UnsafeRawPointer(pixels)
            for x in 0..<count - 1 {
                UnsafeMutableRawPointer(target).storeBytes(
                    of: source.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self),
                    as: UInt32.self
                )
                target += InputShape.channelCount
            }
            target.update(from: pixels + 4 * (count - 1), count: InputShape.channelCount)
        case .gray:
            for x in 0..<count {
                target.update(repeating: pixels[x], count: InputShape.channelCount)
                target += InputShape.channelCount
            }
        }
    }

    /// Resizes a row of numbers, as many a pixel as `format` has bytes.
    static func resize(
        _ numbers: UnsafePointer<Float>,
        format: PixelFormat,
        by filter: ResizeFilter,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        let taps = filter.tapCount
        filter.weights.withUnsafeBufferPointer { weights in
            filter.starts.withUnsafeBufferPointer { starts in
                var target = target
                for x in 0..<filter.targetCount {
                    let start = Int(starts[x])
                    switch format {
                    case .bgra:
                        // Half is added for rounding; weights sum to 1, so no sum comes near 256.
                        var sum = SIMD4<Float>(repeating: 0.5)
                        for tap in 0..<taps {
                            let pixel = UnsafeRawPointer(numbers + 4 * (start + tap))
                            sum += pixel.loadUnaligned(as: SIMD4<Float>.self) * weights[x * taps + tap]
                        }
                        target[0] = UInt8(sum.x)
                        target[1] = UInt8(sum.y)
                        target[2] = UInt8(sum.z)
                    case .gray:
                        var sum: Float = 0.5
                        for tap in 0..<taps { sum += numbers[start + tap] * weights[x * taps + tap] }
                        target.update(repeating: UInt8(sum), count: InputShape.channelCount)
                    }
                    target += InputShape.channelCount
                }
            }
        }
    }
}
