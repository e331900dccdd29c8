internal import ImageCodecs
internal import NIOCore

/// Splitter of concatenated PPM pictures, wherever the chunks were split.
struct PPMSplitter {
    /// Maximum size of a header, far more than a valid one needs.
    private static let maxHeaderByteCount = 64

    private var pending = ByteBuffer()
    private let maxPixels: Int

    /// Creates a splitter for pictures of up to `maxPixels` pixels.
    init(maxPixels: Int) {
        self.maxPixels = maxPixels
    }

    /// Appends received bytes.
    mutating func append(_ chunk: ByteBuffer) {
        self.pending.discardReadBytes()
        self.pending.writeImmutableBuffer(chunk)
    }

    /// Returns the next whole picture in BGRA; `nil` until more bytes are appended.
    ///
    /// - Throws: ``ReplayError`` if the data is not 8-bit PPM.
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

    /// Parses `P6`, width, height and 255, each followed by a space or a line feed.
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
        "ffmpeg's output is not a picture of 8 bits per component, or is too large for servers; make the video smaller with "
            + "ffmpeg, or record it as JPEG"
    )
}
