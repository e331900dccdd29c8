internal import TextModel

/// Image of a picture file as documents embed it, without loss: a JPEG as it is, others compressed by Deflate.
package struct EncodedImage: Sendable {
    /// Coding of the bytes.
    package enum Coding: Sendable {
        /// A JPEG file.
        case jpeg
        /// Rows with the filters of PNG, compressed as zlib has it.
        case filteredRows
    }

    /// Coding of ``bytes``.
    package let coding: Coding
    /// Encoded image.
    package let bytes: [UInt8]
    /// Width in pixels.
    package let width: Int
    /// Height in pixels.
    package let height: Int
    /// Samples of a pixel: 1 for gray, 3 for red, green and blue.
    package let components: Int
    /// Resolution that the file states; `nil` without a credible one.
    package let resolution: PictureResolution?

    /// Encodes the picture of `file`.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - limits: The limits of the picture, and the memory for it.
    /// - Throws: ``PictureError`` if the file cannot be decoded.
    package init(_ file: PictureFile, limits: DecodingLimits) throws(PictureError) {
        self.resolution = file.resolution
        if file.format == .jpeg, let header = Self.header(of: file.bytes) {
            (self.coding, self.bytes, self.components) = (.jpeg, file.bytes, header.componentCount)
            (self.width, self.height) = (header.width, header.height)
            return
        }
        let pixels = try file.picture(limits: limits, damaged: .read).pixels
        let png = try pixels.withPixels { (view) throws(PictureError) in try PNGEncoder().encode(view) }
        self.coding = .filteredRows
        self.bytes = Self.imageData(of: png)
        (self.width, self.height) = (pixels.width, pixels.height)
        self.components = pixels.format == .gray ? 1 : 3
    }

    /// The header of a JPEG that every reader of documents shows alike; `nil` of CMYK, or with bytes in front.
    private static func header(of jpeg: [UInt8]) -> JPEGHeader? {
        unsafe jpeg.withUnsafeBytes { bytes in
            guard let header = try? unsafe JPEGHeader(of: PeerBytes(bytes)), header.start == 0,
                header.componentCount != 4
            else { return nil }
            return header
        }
    }

    /// The content of all IDAT chunks of a PNG that this library wrote.
    private static func imageData(of png: [UInt8]) -> [UInt8] {
        unsafe png.withUnsafeBytes { bytes in
            let file = unsafe PeerBytes(bytes)
            var data: [UInt8] = []
            var offset = 8
            while let length = file.number(UInt32.self, at: offset).map(Int.init) {
                if file.has("IDAT", at: offset + 4) { data += png[offset + 8..<offset + 8 + length] }
                offset += 12 + length
            }
            return data
        }
    }
}
