package import NIOCore

/// Splitter of a byte stream into lines, wherever its chunks were split.
///
/// Each byte is scanned once, and copied only if its line was incomplete in its chunk.
package struct LineSplitter {
    private static let lineFeed = UInt8(ascii: "\n")

    private let maxLineBytes: Int
    private var pending = ByteBuffer()
    /// Number of bytes of `pending` that contain no line feed.
    private var scanned = 0

    /// Creates a splitter that rejects lines of more than `maxLineBytes`, without the line feed.
    package init(maxLineBytes: Int) {
        self.maxLineBytes = maxLineBytes
    }

    /// Appends received bytes.
    ///
    /// - Parameter chunk: The bytes; the splitter retains them, so the caller should not.
    package mutating func append(_ chunk: ByteBuffer) {
        guard self.pending.readableBytes > 0 else {
            self.pending = chunk
            return
        }
        if self.pending.readerIndex > 0 {
            // The rest is the start of a line after others that may still be in use: it moves out of their memory.
            self.pending = ByteBuffer(bytes: self.pending.readableBytesView)
        }
        self.pending.writeImmutableBuffer(chunk)
    }

    /// Returns the next whole line.
    ///
    /// - Returns: The line without its line feed; `nil` until more bytes are appended.
    /// - Throws: ``GlyphwireClientError`` with `lineTooLong`, as soon as the limit is exceeded.
    package mutating func next() throws(GlyphwireClientError) -> ByteBuffer? {
        let view = self.pending.readableBytesView
        let unseen = view[view.index(view.startIndex, offsetBy: self.scanned)...]
        let length = unseen.firstIndex(of: Self.lineFeed).map { view.distance(from: view.startIndex, to: $0) }
        guard (length ?? self.pending.readableBytes) <= self.maxLineBytes else {
            throw GlyphwireClientError(
                .lineTooLong,
                "the server sent a line of more than \(self.maxLineBytes) bytes; request less, or allow longer lines"
            )
        }
        guard let length else {
            self.scanned = self.pending.readableBytes
            return nil
        }
        self.scanned = 0
        let line = self.pending.readSlice(length: length)
        self.pending.moveReaderIndex(forwardBy: 1)
        return line
    }
}
