internal import NIOCore
internal import TextFormats

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Output of `read`.
struct Output {
    private var writer: any DocumentWriter
    private var buffer = ByteBuffer()

    /// Creates an output in the format of `writer`.
    init(_ writer: any DocumentWriter) {
        self.writer = writer
    }

    /// Prints the header of the format.
    mutating func begin() {
        self.writer.begin(into: &self.buffer)
        self.flush()
    }

    /// Prints a page.
    mutating func show(_ page: Page) {
        self.writer.write(page, into: &self.buffer)
        self.flush()
    }

    /// Prints the footer of the format.
    mutating func end() {
        self.writer.end(into: &self.buffer)
        self.flush()
    }

    /// Reports on standard error why a picture was not read, or a warning about it.
    func report(_ reason: String) {
        var text = "glyphwire: \(reason)\n"
        _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Writes what is in the buffer at once, to keep its order with standard error.
    private mutating func flush() {
        while self.buffer.readableBytes > 0 {
            let count = self.buffer.withUnsafeReadableBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            // Standard output that takes nothing, such as a full disk, loses the rest.
            guard count > 0 || errno == EINTR else { break }
            self.buffer.moveReaderIndex(forwardBy: max(0, count))
        }
        self.buffer.clear()
    }
}
