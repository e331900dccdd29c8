internal import GlyphwireProtocol
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What `read` prints.
struct Output {
    /// Whether results are printed as the protocol's lines, and not as text.
    let isJSON: Bool
    /// Whether each text has a heading that names its picture.
    let hasHeadings: Bool

    private var isFirst = true
    private var line = ByteBuffer()

    /// Nothing is printed yet.
    init(isJSON: Bool, hasHeadings: Bool) {
        self.isJSON = isJSON
        self.hasHeadings = hasHeadings
    }

    /// Prints what became of the picture at `path`; as text, only if it was read.
    mutating func show(_ result: FrameResult, path: String) {
        if self.isJSON {
            self.line.clear()
            LineWriter().write(result: result, into: &self.line)
            print(String(buffer: self.line), terminator: "")
        } else if case .ok(let text) = result.outcome {
            if self.hasHeadings { print(self.isFirst ? "" : "\n", "==> ", path, " <==", separator: "") }
            if !text.lines.isEmpty { print(text.text) }
        } else {
            return
        }
        self.isFirst = false
        // In order with what is told on standard error.
        fflush(nil)
    }

    /// Says on standard error why a picture was not read.
    func fail(_ reason: String) {
        var text = "glyphwire: \(reason)\n"
        _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
