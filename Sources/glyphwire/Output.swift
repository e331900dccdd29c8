internal import NIOCore
internal import TextFormats

/// Output of `read`, which fails where standard output takes no more, such as a full disk.
struct Output {
    private var writer: any DocumentWriter
    private var buffer = ByteBuffer()

    /// Creates an output in the format of `writer`.
    init(_ writer: any DocumentWriter) {
        self.writer = writer
    }

    /// Prints the header of the format.
    mutating func begin() throws(Failure) {
        self.writer.begin(into: &self.buffer)
        try self.flush()
    }

    /// Prints a page.
    mutating func show(_ page: Page) throws(Failure) {
        self.writer.write(page, into: &self.buffer)
        try self.flush()
    }

    /// Prints the footer of the format.
    mutating func end() throws(Failure) {
        self.writer.end(into: &self.buffer)
        try self.flush()
    }

    /// Reports on standard error why a picture was not read, or a warning about it.
    func report(_ reason: String) {
        // A name in it may have characters that break the line, or that a terminal obeys.
        StandardError.write("glyphwire: \(reason.onOneLine)\n")
    }

    private mutating func flush() throws(Failure) {
        try StandardOutput.write(self.buffer)
        self.buffer.clear()
    }
}
