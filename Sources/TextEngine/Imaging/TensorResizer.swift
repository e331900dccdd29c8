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
///
/// The frame is turned before it is resized, so that a network's input is the same number by number for all orientations of
/// one picture.
struct TensorResizer: ~Copyable {
    private var columns = ResizeFilter(from: 1, to: 1)
    private var rows = ResizeFilter(from: 1, to: 1)
    private var source = UprightRows()
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
        let part = UprightPart(of: view, rect, orientation: orientation)
        self.prepare(part, size: size)
        Self.clearMargin(of: tensor, size: size, shape: shape)
        let ring = self.ring.base
        let sum = self.sum.base
        let taps = self.rows.tapCount
        var ready = 0
        for y in 0..<size.height {
            let start = Int(self.rows.starts[y])
            ready = max(ready, start)
            while ready < start + taps {
                self.resizeRow(self.source.row(ready, of: part), part.format, into: ring + (ready % taps) * size.width)
                ready += 1
            }
            self.rows.weights.withUnsafeBufferPointer { weights in
                for tap in 0..<taps {
                    let weight = weights[y * taps + tap]
                    let row = ring + ((start + tap) % taps) * size.width
                    if tap == 0 {
                        for x in 0..<size.width { sum[x] = row[x] * weight }
                    } else if weight > 0 {
                        for x in 0..<size.width { sum[x] += row[x] * weight }
                    }
                }
            }
            let place = tensor + y * shape.width
            for x in 0..<size.width {
                let value = sum[x] * normalization.scale + normalization.offset
                place[x] = value.x
                place[shape.planeCount + x] = value.y
                place[2 * shape.planeCount + x] = value.z
            }
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
        self.ring.reserve(size.width * self.rows.tapCount)
        self.sum.reserve(size.width)
    }

    private func resizeRow(
        _ pixels: UnsafePointer<UInt8>,
        _ format: PixelFormat,
        into target: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let taps = self.columns.tapCount
        self.columns.weights.withUnsafeBufferPointer { weights in
            self.columns.starts.withUnsafeBufferPointer { starts in
                switch format {
                case .bgra:
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
