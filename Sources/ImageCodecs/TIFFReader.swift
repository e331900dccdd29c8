internal import CTIFF
internal import TextModel

/// TIFF decoder, of any compression and layout that libtiff knows.
@safe
struct TIFFReader: ~Copyable {
    /// Bytes of a pixel with four samples of 16 bits, the widest that is common.
    private static let maxPixelByteCount = 8

    private let handle: OpaquePointer

    /// Begins with a directory of `file`, which must outlive the reader; `nil` if it has none.
    private init?(_ file: UnsafeBufferPointer<UInt8>, directory index: Int, limits: PictureLimits) {
        let maxAllocation = limits.maxPixels.multipliedReportingOverflow(by: Self.maxPixelByteCount)
        guard
            let handle = unsafe ctiff_open(
                file.baseAddress,
                file.count,
                UInt32(index),
                maxAllocation.overflow ? Int(Int32.max) : maxAllocation.partialValue
            )
        else { return nil }
        unsafe self.handle = handle
    }

    deinit {
        unsafe ctiff_close(self.handle)
    }

    /// Decodes the first page of a file.
    static func read(_ file: [UInt8], path: String, limits: DecodingLimits) throws(PictureError) -> Picture {
        try unsafe file.withUnsafeBufferPointer { (bytes) throws(PictureError) -> Picture in
            let pages = unsafe TIFFPages(of: PeerBytes(UnsafeRawBufferPointer(bytes)))
            guard !pages.isRaw else { throw PictureError(foreign: .raw, path: path) }
            guard let reader = unsafe TIFFReader(bytes, directory: pages.firstIndex, limits: limits.picture) else {
                throw PictureError(damaged: .tiff, path: path, "the directory of its first page cannot be read")
            }
            return try reader.picture(path: path, limits: limits)
        }
    }

    private func picture(path: String, limits: DecodingLimits) throws(PictureError) -> Picture {
        var header = ctiff_header()
        try self.check(unsafe ctiff_read_header(self.handle, &header), path: path)
        let (width, height) = (Int(header.width), Int(header.height))
        let bytesPerPixel = header.is_gray ? 5 : header.has_alpha ? 12 : 8
        try limits.check(width: width, height: height, bytesPerPixel: bytesPerPixel, of: .tiff, path: path)
        var samples = [UInt32](repeating: 0, count: width * height)
        try self.check(unsafe ctiff_decode(self.handle, &samples), path: path)
        var pixels = PixelBuffer(width: width, height: height, format: header.is_gray ? .gray : .bgra)
        if header.is_gray {
            unsafe pixels.withMutableBytes { bytes in
                for index in samples.indices { unsafe bytes[index] = UInt8(truncatingIfNeeded: samples[index].red) }
            }
        } else if header.has_alpha {
            pixels.lay(Self.straightBGRA(samples), channels: 4)
        } else {
            unsafe pixels.withMutableBytes { bytes in
                for index in samples.indices {
                    unsafe bytes.storeBytes(of: samples[index].opaqueBGRA, toByteOffset: index * 4, as: UInt32.self)
                }
            }
        }
        return Picture(pixels: pixels, orientation: Orientation(rawValue: UInt8(header.orientation)) ?? .up)
    }

    /// The samples in bytes of blue, green, red and alpha, colours no longer multiplied by alpha.
    private static func straightBGRA(_ pixels: [UInt32]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: pixels.count * 4) { bytes, count in
            for pixel in pixels {
                let alpha = pixel.alpha
                for colour in [pixel.blue, pixel.green, pixel.red] {
                    unsafe bytes[count] = alpha == 0 ? 0 : UInt8(min(255, colour * 255 / alpha))
                    count += 1
                }
                unsafe bytes[count] = UInt8(alpha)
                count += 1
            }
        }
    }

    private func check(_ status: ctiff_status, path: String) throws(PictureError) {
        guard status != CTIFF_OK else { return }
        let reason = unsafe String(cString: ctiff_message(self.handle))
        guard status != CTIFF_DAMAGED else { throw PictureError(damaged: .tiff, path: path, reason) }
        // ImageMagick reads TIFFs by libtiff, too.
        let remedy =
            status == CTIFF_NO_CODEC
            ? "Save it without compression, with a program that opens it."
            : ForeignFormat.conversion()
        throw PictureError(.unsupported, "\(path) is a TIFF of a kind that is not read (\(reason)). \(remedy)")
    }
}

/// Pixel in the order of libtiff: bytes of red, green, blue and alpha.
extension UInt32 {
    fileprivate var red: UInt32 { UInt32(littleEndian: self) & 0xFF }
    fileprivate var green: UInt32 { UInt32(littleEndian: self) >> 8 & 0xFF }
    fileprivate var blue: UInt32 { UInt32(littleEndian: self) >> 16 & 0xFF }
    fileprivate var alpha: UInt32 { UInt32(littleEndian: self) >> 24 }

    /// The pixel in bytes of blue, green, red and 255.
    fileprivate var opaqueBGRA: UInt32 { (self.blue | self.green << 8 | self.red << 16 | 0xFF00_0000).littleEndian }
}
