internal import FrameCodecs
internal import GlyphwireProtocol

/// How the numbers of a plane follow from pixel values: `value * scale + offset`, in the order blue, green, red.
struct Normalization: Sendable {
    let scale: SIMD4<Float>
    let offset: SIMD4<Float>

    /// From the mean and standard deviation that a network was trained with, of values 0...1.
    init(mean: SIMD3<Float>, deviation: SIMD3<Float>) {
        self.scale = SIMD4(1 / (255 * deviation), 0)
        self.offset = SIMD4(-mean / deviation, 0)
    }

    /// To -1...1.
    static let signed = Normalization(mean: .init(repeating: 0.5), deviation: .init(repeating: 0.5))
}

/// A part of a picture, in whole sent pixels.
struct PixelRect: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
}

/// Resizes a part of a frame into the planes of a network's input, upright and normalised, in one pass over its rows.
struct TensorResizer: ~Copyable {
    private var columns = ResizeFilter(from: 1, to: 1)
    private var rows = ResizeFilter(from: 1, to: 1)
    /// Rows already resized in width, four numbers a pixel; a ring of as many as one target row needs.
    private var ring = ScratchBuffer<SIMD4<Float>>()
    private var sum = ScratchBuffer<SIMD4<Float>>()

    /// Fills the three planes of `tensor`.
    ///
    /// - Parameters:
    ///   - view: The frame as it was sent.
    ///   - rect: The part of it to resize, inside `view`.
    ///   - orientation: How the frame must be turned to stand upright.
    ///   - size: Of the resized part in upright pixels; at most `shape`. What it leaves of `shape` at the right and the
    ///     bottom is filled with 0.
    ///   - shape: Of the planes.
    ///   - normalization: From pixel values to the network's numbers.
    ///   - tensor: Three planes, one after the other.
    mutating func resize(
        _ view: PixelView,
        rect: PixelRect,
        orientation: Orientation,
        to size: (width: Int, height: Int),
        shape: InputShape,
        normalization: Normalization,
        into tensor: UnsafeMutableBufferPointer<Float>
    ) {
        guard let tensor = tensor.baseAddress else { return }
        let target = orientation.swapsAxes ? (width: size.height, height: size.width) : size
        self.prepare(rect, target: target)
        Self.clearMargin(of: tensor, size: size, shape: shape)
        let walk = UprightWalk(orientation, size: size, stride: shape.width)
        let ring = self.ring.base
        let sum = self.sum.base
        let taps = self.rows.tapCount
        var ready = 0
        for y in 0..<target.height {
            let start = Int(self.rows.starts[y])
            ready = max(ready, start)
            while ready < start + taps {
                self.resizeRow(view, rect: rect, row: ready, into: ring + (ready % taps) * target.width)
                ready += 1
            }
            self.rows.weights.withUnsafeBufferPointer { weights in
                for tap in 0..<taps {
                    let weight = weights[y * taps + tap]
                    let row = ring + ((start + tap) % taps) * target.width
                    if tap == 0 {
                        for x in 0..<target.width { sum[x] = row[x] * weight }
                    } else if weight > 0 {
                        for x in 0..<target.width { sum[x] += row[x] * weight }
                    }
                }
            }
            var place = tensor + walk.origin + y * walk.stepY
            for x in 0..<target.width {
                let value = sum[x] * normalization.scale + normalization.offset
                place[0] = value.x
                place[shape.planeCount] = value.y
                place[2 * shape.planeCount] = value.z
                place += walk.stepX
            }
        }
    }

    private mutating func prepare(_ rect: PixelRect, target: (width: Int, height: Int)) {
        if self.columns.sourceCount != rect.width || self.columns.targetCount != target.width {
            self.columns = ResizeFilter(from: rect.width, to: target.width)
        }
        if self.rows.sourceCount != rect.height || self.rows.targetCount != target.height {
            self.rows = ResizeFilter(from: rect.height, to: target.height)
        }
        self.ring.reserve(target.width * self.rows.tapCount)
        self.sum.reserve(target.width)
    }

    private func resizeRow(
        _ view: PixelView,
        rect: PixelRect,
        row: Int,
        into target: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let source = view.base + (rect.y + row) * view.bytesPerRow + rect.x * view.format.bytesPerPixel
        let taps = self.columns.tapCount
        self.columns.weights.withUnsafeBufferPointer { weights in
            self.columns.starts.withUnsafeBufferPointer { starts in
                switch view.format {
                case .bgra:
                    let pixels = source.assumingMemoryBound(to: UInt8.self)
                    for x in 0..<self.columns.targetCount {
                        var sum = SIMD4<Float>.zero
                        var pixel = pixels + Int(starts[x]) * 4
                        for tap in 0..<taps {
                            sum += SIMD4(bgra: pixel) * weights[x * taps + tap]
                            pixel += 4
                        }
                        target[x] = sum
                    }
                case .gray:
                    let pixels = source.assumingMemoryBound(to: UInt8.self)
                    for x in 0..<self.columns.targetCount {
                        var sum: Float = 0
                        let start = Int(starts[x])
                        for tap in 0..<taps { sum += Float(pixels[start + tap]) * weights[x * taps + tap] }
                        target[x] = SIMD4(repeating: sum)
                    }
                }
            }
        }
    }

    private static func clearMargin(
        of tensor: UnsafeMutablePointer<Float>,
        size: (width: Int, height: Int),
        shape: InputShape
    ) {
        for plane in 0..<3 {
            let plane = tensor + plane * shape.planeCount
            if size.width < shape.width {
                for row in 0..<size.height {
                    (plane + row * shape.width + size.width).update(repeating: 0, count: shape.width - size.width)
                }
            }
            (plane + size.height * shape.width).update(
                repeating: 0,
                count: (shape.height - size.height) * shape.width
            )
        }
    }
}

extension SIMD4<Float> {
    /// The four bytes at `pixel`.
    @inline(__always)
    init(bgra pixel: UnsafePointer<UInt8>) {
        self.init(Float(pixel[0]), Float(pixel[1]), Float(pixel[2]), 0)
    }
}

/// Where a picture's pixels go in an upright plane when they come row by row as they were sent.
private struct UprightWalk {
    /// The place of the first pixel of the first row.
    let origin: Int
    /// From one pixel of a row to the next.
    let stepX: Int
    /// From one row to the next.
    let stepY: Int

    /// For an upright picture of `size` in a plane of `stride` numbers a row.
    init(_ orientation: Orientation, size: (width: Int, height: Int), stride: Int) {
        let right = size.width - 1
        let bottom = (size.height - 1) * stride
        (self.origin, self.stepX, self.stepY) =
            switch orientation {
            case .up: (0, 1, stride)
            case .upMirrored: (right, -1, stride)
            case .down: (right + bottom, -1, -stride)
            case .downMirrored: (bottom, 1, -stride)
            case .leftMirrored: (0, stride, 1)
            case .right: (right, stride, -1)
            case .rightMirrored: (right + bottom, -stride, -1)
            case .left: (bottom, -stride, 1)
            }
    }
}
