/// Owned pixels: a decoded file, or a copy of a frame to draw on.
///
/// Rows have no padding.
public struct PixelBuffer: Sendable, Hashable {
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// Format of a pixel.
    public let format: PixelFormat
    /// Contiguous rows, from the top.
    public private(set) var bytes: [UInt8]

    /// Stride in bytes from one row to the next.
    public var bytesPerRow: Int { self.width * self.format.bytesPerPixel }

    /// Creates a buffer of zeros.
    public init(width: Int, height: Int, format: PixelFormat) {
        precondition(width > 0 && height > 0, "a picture has pixels")
        self.width = width
        self.height = height
        self.format = format
        self.bytes = [UInt8](repeating: 0, count: width * height * format.bytesPerPixel)
    }

    /// Creates a copy of the pixels in `view`, without its padding.
    public init(copying view: PixelView) {
        self.init(width: view.width, height: view.height, format: view.format)
        let bytesPerRow = self.bytesPerRow
        unsafe self.withMutableBytes { target in
            for row in 0..<view.height {
                let source = unsafe UnsafeRawBufferPointer(
                    start: view.base + row * view.bytesPerRow,
                    count: bytesPerRow
                )
                let start = row * bytesPerRow
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<start + bytesPerRow])
                    .copyMemory(from: source)
            }
        }
    }

    /// Creates a BGRA copy of the pixels in `view`, whatever its format.
    public init(copyingInColour view: PixelView) {
        guard view.format == .gray else {
            self.init(copying: view)
            return
        }
        self.init(width: view.width, height: view.height, format: .bgra)
        unsafe self.withMutableBytes { target in
            for row in 0..<view.height {
                for column in 0..<view.width {
                    let gray = unsafe view.base.load(fromByteOffset: row * view.bytesPerRow + column, as: UInt8.self)
                    let pixel = UInt32(gray) * 0x01_0101 | 0xFF00_0000
                    unsafe target.storeBytes(
                        of: pixel.littleEndian,
                        toByteOffset: (row * view.width + column) * 4,
                        as: UInt32.self
                    )
                }
            }
        }
    }

    /// Calls `body` with a view of the pixels, valid until it returns.
    ///
    /// - Parameter body: Closure that uses the pixels.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withPixels<R, E: Error>(_ body: (PixelView) throws(E) -> R) throws(E) -> R {
        try unsafe self.bytes.withUnsafeBufferPointer { (bytes) throws(E) -> R in
            guard let base = bytes.baseAddress else { preconditionFailure("a picture has pixels") }
            return try body(
                unsafe PixelView(
                    base: UnsafeRawPointer(base),
                    width: self.width,
                    height: self.height,
                    bytesPerRow: self.bytesPerRow,
                    format: self.format
                )
            )
        }
    }

    /// Calls `body` with the writable bytes of all rows.
    package mutating func withMutableBytes<R, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe self.bytes.withUnsafeMutableBufferPointer { (bytes) throws(E) -> R in
            try unsafe body(UnsafeMutableRawBufferPointer(bytes))
        }
    }
}
