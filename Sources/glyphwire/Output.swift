internal import NIOCore
internal import TextFormats

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What `read` prints.
struct Output {
    private var writer: any DocumentWriter
    private var buffer = ByteBuffer()

    /// Nothing is printed yet of what `writer` will write.
    init(_ writer: any DocumentWriter) {
        self.writer = writer
    }

    /// Prints what stands before the first page.
    mutating func begin() {
        self.writer.begin(into: &self.buffer)
        self.flush()
    }

    /// Prints a page.
    mutating func show(_ page: Page) {
        self.writer.write(page, into: &self.buffer)
        self.flush()
    }

    /// Prints what stands behind the last page.
    mutating func end() {
        self.writer.end(into: &self.buffer)
        self.flush()
    }

    /// Says on standard error why a picture was not read.
    func fail(_ reason: String) { self.complain(reason) }

    /// Says on standard error what was odd about a picture that was read.
    func warn(_ warning: String) { self.complain(warning) }

    private func complain(_ reason: String) {
        var text = "glyphwire: \(reason)\n"
        _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Prints what was written, at once: in order with what is told on standard error.
    private mutating func flush() {
        print(String(buffer: self.buffer), terminator: "")
        self.buffer.clear()
        fflush(nil)
    }
}
