internal import CGIF
internal import TextModel

/// GIF decoder; of an animation it reads the first frame.
@safe
struct GIFReader: ~Copyable {
    /// The bytes of a file, which giflib reads from front to back.
    @unsafe private struct Source {
        let bytes: UnsafeBufferPointer<UInt8>
        var offset = 0
    }

    /// The label of the extension that holds the transparent colour (GIF89a, section 23).
    private static let graphicsControlLabel: Int32 = 0xF9
    /// The first row and the distance of rows in each pass over an interlaced picture (GIF89a, appendix E).
    private static let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]

    private let file: UnsafeMutablePointer<GifFileType>

    private init?(_ source: UnsafeMutablePointer<Source>) {
        var error: Int32 = 0
        let file = unsafe DGifOpen(
            source,
            { file, target, count in
                guard let file = unsafe file, let target = unsafe target, count > 0,
                    let source = unsafe file.pointee.UserData?.assumingMemoryBound(to: Source.self)
                else { return 0 }
                let bytes = unsafe source.pointee.bytes.dropFirst(source.pointee.offset).prefix(Int(count))
                let copied = unsafe UnsafeMutableBufferPointer(start: target, count: Int(count)).update(
                    fromContentsOf: bytes
                )
                unsafe source.pointee.offset += copied
                return Int32(copied)
            },
            &error
        )
        guard let file = unsafe file else { return nil }
        unsafe self.file = file
    }

    deinit {
        var error: Int32 = 0
        _ = unsafe DGifCloseFile(self.file, &error)
    }

    static func read(_ file: [UInt8], path: String, limits: DecodingLimits) throws(PictureError) -> Picture {
        try unsafe file.withUnsafeBufferPointer { (bytes) throws(PictureError) -> Picture in
            var source = unsafe Source(bytes: bytes)
            return try unsafe withUnsafeMutablePointer(to: &source) { (source) throws(PictureError) -> Picture in
                guard let reader = unsafe GIFReader(source) else {
                    throw PictureError(damaged: .gif, path: path, "its header cannot be read")
                }
                return try reader.firstPicture(path: path, limits: limits)
            }
        }
    }

    private func firstPicture(path: String, limits: DecodingLimits) throws(PictureError) -> Picture {
        var transparent: UInt8?
        while true {
            var type = UNDEFINED_RECORD_TYPE
            guard unsafe DGifGetRecordType(self.file, &type) == GIF_OK else { break }
            if type == EXTENSION_RECORD_TYPE {
                guard self.readExtension(transparent: &transparent) else { break }
            } else if type == IMAGE_DESC_RECORD_TYPE {
                guard unsafe DGifGetImageDesc(self.file) == GIF_OK else { break }
                return try self.picture(transparent: transparent, path: path, limits: limits)
            } else {
                break
            }
        }
        throw PictureError(damaged: .gif, path: path, "it has no picture")
    }

    /// Reads an extension, and takes the transparent colour of one that has it.
    private func readExtension(transparent: inout UInt8?) -> Bool {
        var label: Int32 = 0
        var block: UnsafeMutablePointer<UInt8>?
        guard unsafe DGifGetExtension(self.file, &label, &block) == GIF_OK else { return false }
        // The first byte is the length of the block, the second its flags, the last the index of the colour.
        if label == Self.graphicsControlLabel, let block = unsafe block, unsafe block[0] >= 4 {
            transparent = unsafe block[1] & 1 == 1 ? block[4] : nil
        }
        while unsafe block != nil {
            guard unsafe DGifGetExtensionNext(self.file, &block) == GIF_OK else { return false }
        }
        return true
    }

    /// Decodes the picture whose description was read, on the file's whole canvas.
    private func picture(
        transparent: UInt8?,
        path: String,
        limits: DecodingLimits
    ) throws(PictureError) -> Picture {
        let frame = unsafe self.file.pointee.Image
        let (left, top) = unsafe (Int(frame.Left), Int(frame.Top))
        let (columns, rows) = unsafe (Int(frame.Width), Int(frame.Height))
        let width = unsafe max(Int(self.file.pointee.SWidth), left + columns)
        let height = unsafe max(Int(self.file.pointee.SHeight), top + rows)
        try limits.check(width: width, height: height, bytesPerPixel: 12, of: .gif, path: path)
        guard columns > 0, rows > 0, let colours = self.palette(transparent: transparent) else {
            throw PictureError(damaged: .gif, path: path, "it has no pixels or no colours")
        }
        var samples = [UInt8](repeating: 0, count: width * height * 4)
        var line = [UInt8](repeating: 0, count: columns)
        for row in unsafe Self.order(ofRows: rows, isInterlaced: frame.Interlace) {
            guard unsafe DGifGetLine(self.file, &line, Int32(columns)) == GIF_OK else {
                throw PictureError(damaged: .gif, path: path, "its pixels cannot be decoded")
            }
            var offset = ((top + row) * width + left) * 4
            for index in line {
                let colour = colours[Int(index)]
                for channel in 0..<4 { samples[offset + channel] = colour[channel] }
                offset += 4
            }
        }
        var pixels = PixelBuffer(width: width, height: height, format: .bgra)
        if transparent == nil, columns == width, rows == height {
            unsafe pixels.withMutableBytes { unsafe $0.copyBytes(from: samples) }
        } else {
            pixels.lay(samples, channels: 4)
        }
        return Picture(pixels: pixels)
    }

    /// The colours of all 256 indices in BGRA; those that the file does not define are black.
    private func palette(transparent: UInt8?) -> [InlineArray<4, UInt8>]? {
        guard let map = unsafe self.file.pointee.Image.ColorMap ?? self.file.pointee.SColorMap,
            let colours = unsafe map.pointee.Colors
        else { return nil }
        var palette = [InlineArray<4, UInt8>](repeating: [0, 0, 0, 255], count: 256)
        for index in 0..<min(256, unsafe Int(map.pointee.ColorCount)) {
            let colour = unsafe colours[index]
            palette[index] = [colour.Blue, colour.Green, colour.Red, 255]
        }
        if let transparent { palette[Int(transparent)] = [0, 0, 0, 0] }
        return palette
    }

    private static func order(ofRows count: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<count) }
        return self.passes.flatMap { Array(stride(from: $0.0, to: count, by: $0.1)) }
    }
}
