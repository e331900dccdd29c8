internal import TextModel

/// BMP decoder, for pixels that are not compressed.
///
/// The rows must be in the file before anything is allocated for them.
struct BMPReader {
    private let file: PeerBytes
    private let path: String
    private let width: Int
    private let height: Int
    private let isTopDown: Bool
    private let bitsPerPixel: Int
    private let compression: Int
    /// Bytes of the header behind that of the file, which also say its version.
    private let headerByteCount: Int
    /// Where the rows begin.
    private let start: Int

    /// Bytes of the file's own header.
    private static let fileHeaderByteCount = 14
    /// The header of OS/2, with sides of 16 bits and colours of three bytes.
    private static let coreHeaderByteCount = 12
    private static let infoHeaderByteCount = 40
    /// Values of the field `compression`.
    private static let (uncompressed, bitFields) = (0, 3)

    static func read(_ file: [UInt8], path: String, limits: DecodingLimits) throws(PictureError) -> Picture {
        try unsafe file.withUnsafeBufferPointer { (bytes) throws(PictureError) -> Picture in
            let reader = try unsafe BMPReader(PeerBytes(UnsafeRawBufferPointer(bytes)), path: path)
            try limits.check(width: reader.width, height: reader.height, bytesPerPixel: 8, of: .bmp, path: path)
            return try reader.picture()
        }
    }

    private init(_ file: PeerBytes, path: String) throws(PictureError) {
        func long(_ offset: Int) -> Int? { file.number(UInt32.self, at: offset, littleEndian: true).map(Int.init) }
        func short(_ offset: Int) -> Int? { file.number(UInt16.self, at: offset, littleEndian: true).map(Int.init) }
        let cut = PictureError(damaged: .bmp, path: path, "its header cannot be read")
        guard let start = long(10), let headerByteCount = long(Self.fileHeaderByteCount) else { throw cut }
        self.file = file
        guard start >= Self.fileHeaderByteCount + headerByteCount else {
            throw PictureError(damaged: .bmp, path: path, "its rows begin in its header")
        }
        self.path = path
        self.start = start
        self.headerByteCount = headerByteCount
        if headerByteCount == Self.coreHeaderByteCount {
            guard let width = short(18), let height = short(20), let bits = short(24) else { throw cut }
            (self.width, self.height, self.bitsPerPixel) = (width, height, bits)
            (self.isTopDown, self.compression) = (false, Self.uncompressed)
        } else {
            guard headerByteCount >= Self.infoHeaderByteCount, let width = long(18), let height = long(22),
                let bits = short(28), let compression = long(30)
            else { throw cut }
            // A negative height says that the first row is the upper one.
            let signed = Int(Int32(truncatingIfNeeded: height))
            (self.width, self.height, self.isTopDown) = (width, abs(signed), signed < 0)
            (self.bitsPerPixel, self.compression) = (bits, compression)
        }
        guard self.isReadable else {
            throw PictureError(
                .unsupported,
                "\(path) is a BMP of \(self.bitsPerPixel) bits a pixel with the compression \(self.compression), which is not "
                    + "read. \(ForeignFormat.conversion())"
            )
        }
    }

    private var isReadable: Bool {
        switch self.compression {
        case Self.uncompressed: [1, 4, 8, 16, 24, 32].contains(self.bitsPerPixel)
        case Self.bitFields: [16, 32].contains(self.bitsPerPixel)
        default: false
        }
    }

    private func picture() throws(PictureError) -> Picture {
        // Rows are padded to four bytes, which some programs leave out of the last. The sides are within the limits, so that
        // nothing here overflows.
        let bytesPerRow = (self.width * self.bitsPerPixel + 31) / 32 * 4
        let lastByteCount = (self.width * self.bitsPerPixel + 7) / 8
        guard let rows = self.file[self.start..<self.start + bytesPerRow * (self.height - 1) + lastByteCount] else {
            throw PictureError(damaged: .bmp, path: self.path, "its rows take more bytes than it has")
        }
        let colours = self.bitsPerPixel <= 8 ? self.palette() : []
        let isGray = !colours.isEmpty && colours.allSatisfy { $0.isGray }
        var pixels = PixelBuffer(width: self.width, height: self.height, format: isGray ? .gray : .bgra)
        let masks = self.masks()
        unsafe pixels.withMutableBytes { target in
            for y in 0..<self.height {
                let row = (self.isTopDown ? y : self.height - 1 - y) * bytesPerRow
                for x in 0..<self.width {
                    let colour =
                        self.bitsPerPixel <= 8
                        ? colours[self.index(x, in: rows, from: row)] : self.colour(x, in: rows, from: row, masks)
                    let place = y * self.width + x
                    if isGray {
                        unsafe target[place] = colour.blue
                    } else {
                        unsafe target.storeBytes(of: colour.bgra.littleEndian, toByteOffset: place * 4, as: UInt32.self)
                    }
                }
            }
        }
        return Picture(pixels: pixels)
    }

    /// The colours of all indices; those that the file does not define are black.
    private func palette() -> [Colour] {
        let entryByteCount = self.headerByteCount == Self.coreHeaderByteCount ? 3 : 4
        let first = Self.fileHeaderByteCount + self.headerByteCount
        return (0..<1 << self.bitsPerPixel).map { index in
            let offset = first + index * entryByteCount
            guard offset + 2 < self.start, let blue = self.file[offset], let green = self.file[offset + 1],
                let red = self.file[offset + 2]
            else { return Colour() }
            return Colour(blue: blue, green: green, red: red)
        }
    }

    private func index(_ x: Int, in rows: PeerBytes, from row: Int) -> Int {
        let bit = x * self.bitsPerPixel
        let byte = Int(rows[row + bit / 8] ?? 0)
        return byte >> (8 - self.bitsPerPixel - bit % 8) & (1 << self.bitsPerPixel - 1)
    }

    private func colour(_ x: Int, in rows: PeerBytes, from row: Int, _ masks: [ChannelMask]) -> Colour {
        let offset = row + x * self.bitsPerPixel / 8
        guard self.bitsPerPixel != 24 else {
            return Colour(blue: rows[offset] ?? 0, green: rows[offset + 1] ?? 0, red: rows[offset + 2] ?? 0)
        }
        let value =
            self.bitsPerPixel == 16
            ? UInt32(rows.number(UInt16.self, at: offset, littleEndian: true) ?? 0)
            : rows.number(UInt32.self, at: offset, littleEndian: true) ?? 0
        return Colour(blue: masks[2].sample(value), green: masks[1].sample(value), red: masks[0].sample(value))
    }

    /// The masks of red, green and blue.
    private func masks() -> [ChannelMask] {
        guard self.compression == Self.bitFields else {
            let values: [UInt32] = self.bitsPerPixel == 16 ? [0x7C00, 0x3E0, 0x1F] : [0xFF_0000, 0xFF00, 0xFF]
            return values.map(ChannelMask.init)
        }
        let first = Self.fileHeaderByteCount + Self.infoHeaderByteCount
        return (0..<3).map { ChannelMask(self.file.number(UInt32.self, at: first + 4 * $0, littleEndian: true) ?? 0) }
    }
}

/// Colour of a BMP.
private struct Colour {
    var blue: UInt8 = 0
    var green: UInt8 = 0
    var red: UInt8 = 0

    var isGray: Bool { self.blue == self.green && self.green == self.red }
    var bgra: UInt32 { UInt32(self.blue) | UInt32(self.green) << 8 | UInt32(self.red) << 16 | 0xFF00_0000 }
}

/// Mask of one colour in a pixel of 16 or 32 bits.
private struct ChannelMask {
    private let mask: UInt32
    private let shift: Int
    private let largest: UInt64

    init(_ mask: UInt32) {
        self.mask = mask
        self.shift = mask == 0 ? 0 : mask.trailingZeroBitCount
        self.largest = max(1, UInt64(mask >> UInt32(self.shift)))
    }

    /// The sample of `pixel`, scaled to eight bits.
    func sample(_ pixel: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: UInt64((pixel & self.mask) >> UInt32(self.shift)) * 255 / self.largest)
    }
}
