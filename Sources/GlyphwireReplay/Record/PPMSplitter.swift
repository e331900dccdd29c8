internal import ImageCodecs
internal import NIOCore

/// Bytes of PPM pictures, one behind the other, in; pictures out, wherever the bytes were split.
struct PPMSplitter {
    /// A header is much shorter; more without one is no PPM.
    private static let maxHeaderByteCount = 64

    private var pending = ByteBuffer()
    private let maxPixels: Int

    /// A splitter for pictures of up to a number of pixels.
    init(maxPixels: Int) {
        self.maxPixels = maxPixels
    }

    /// Takes in bytes just read.
    mutating func append(_ chunk: ByteBuffer) {
        self.pending.discardReadBytes()
        self.pending.writeImmutableBuffer(chunk)
    }

    /// The next whole picture in BGRA, `nil` until more bytes are appended.
    ///
    /// - Throws: ``ReplayError`` if what comes is no PPM of 8 bits.
    mutating func next() throws(ReplayError) -> PixelBuffer? {
        guard let header = try self.header() else { return nil }
        let byteCount = header.width * header.height * 3
        guard self.pending.readableBytes >= header.byteCount + byteCount else { return nil }
        self.pending.moveReaderIndex(forwardBy: header.byteCount)
        var pixels = PixelBuffer(width: header.width, height: header.height, format: .bgra)
        self.pending.readWithUnsafeReadableBytes { rgb in
            pixels.withMutableBytes { bgra in
                for pixel in 0..<header.width * header.height {
                    bgra[pixel * 4] = rgb[pixel * 3 + 2]
                    bgra[pixel * 4 + 1] = rgb[pixel * 3 + 1]
                    bgra[pixel * 4 + 2] = rgb[pixel * 3]
                    bgra[pixel * 4 + 3] = 255
                }
            }
            return byteCount
        }
        return pixels
    }

    /// `P6`, width, height and 255, each with a space or a line feed behind it.
    private func header() throws(ReplayError) -> (width: Int, height: Int, byteCount: Int)? {
        var words: [Substring] = []
        let view = self.pending.readableBytesView
        var start = view.startIndex
        while words.count < 4 {
            guard let end = view[start...].firstIndex(where: { $0 == 0x20 || $0 == 0x0A }) else {
                if view.count < Self.maxHeaderByteCount { return nil }
                throw Self.failure
            }
            words.append(Substring(decoding: view[start..<end], as: UTF8.self))
            start = end + 1
        }
        guard
            words[0] == "P6", words[3] == "255", let width = Int(words[1]), let height = Int(words[2]),
            width > 0, height > 0, width <= 65_535, height <= 65_535, width <= self.maxPixels / height
        else { throw Self.failure }
        return (width, height, start - view.startIndex)
    }

    private static let failure = ReplayError(
        .badPicture,
        "ffmpeg gives out what is no picture of 8 bits a colour, or one that no server takes; make the video smaller with "
            + "ffmpeg, or record it as JPEG"
    )
}
