package import NIOCore

/// Line framing: bytes in, whole lines out, wherever the bytes were split.
///
/// Each byte is scanned once, and copied only if its line was incomplete in the chunk that brought it.
package struct LineSplitter {
    private static let lineFeed = UInt8(ascii: "\n")

    private let maxLineBytes: Int
    private var pending = ByteBuffer()
    /// How many bytes of `pending` are known to hold no line feed.
    private var scanned = 0

    /// A splitter that refuses lines of more than `maxLineBytes`, the line feed not counted.
    package init(maxLineBytes: Int) {
        self.maxLineBytes = maxLineBytes
    }

    /// Takes in bytes just received.
    ///
    /// - Parameter chunk: The bytes; the splitter keeps them, so the caller should not.
    package mutating func append(_ chunk: ByteBuffer) {
        guard self.pending.readableBytes > 0 else {
            self.pending = chunk
            return
        }
        if self.pending.readerIndex > 0 {
            // What is left is the start of a line behind others that may still be held: it moves out of their memory.
            self.pending = ByteBuffer(bytes: self.pending.readableBytesView)
        }
        self.pending.writeImmutableBuffer(chunk)
    }

    /// The next whole line.
    ///
    /// - Returns: The line without its line feed; `nil` until more bytes are appended.
    /// - Throws: ``GlyphwireClientError`` with `lineTooLong`, as soon as the limit is exceeded, whole line or not.
    package mutating func next() throws(GlyphwireClientError) -> ByteBuffer? {
        let view = self.pending.readableBytesView
        let unseen = view[view.index(view.startIndex, offsetBy: self.scanned)...]
        let length = unseen.firstIndex(of: Self.lineFeed).map { view.distance(from: view.startIndex, to: $0) }
        guard (length ?? self.pending.readableBytes) <= self.maxLineBytes else {
            throw GlyphwireClientError(
                .lineTooLong,
                "the server sent a line of more than \(self.maxLineBytes) bytes; ask for less, or allow longer lines"
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
