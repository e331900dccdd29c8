internal import NIOCore
internal import TextFormats

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
        StandardError.write("glyphwire: \(reason)\n")
    }

    private mutating func flush() {
        StandardOutput.write(self.buffer)
        self.buffer.clear()
    }
}
