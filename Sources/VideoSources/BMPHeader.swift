/// Header of an uncompressed bitmap with 32 bits per pixel, as `ffmpeg` puts it before each picture.
struct BMPHeader: Equatable {
    /// Size of the headers of a bitmap of this kind in bytes.
    static let byteCount = 54

    /// Width in pixels.
    let width: UInt16
    /// Number of rows.
    let height: UInt16

    /// Number of bytes of the rows.
    var pixelByteCount: Int { Int(self.width) * Int(self.height) * 4 }

    /// Parses a header; `nil` for other bitmaps, and those of more pixels than the limit.
    init?(_ bytes: [UInt8], maxPixels: Int) {
        func integer(at offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) } }
        guard bytes.count == Self.byteCount, bytes[0] == UInt8(ascii: "B"), bytes[1] == UInt8(ascii: "M"),
            integer(at: 10) == Self.byteCount, bytes[28] == 32, integer(at: 30) == 0,
            let width = UInt16(exactly: integer(at: 18)), let height = UInt16(exactly: integer(at: 22)),
            width > 0, height > 0, Int(width) * Int(height) <= maxPixels
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}
