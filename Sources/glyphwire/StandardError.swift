internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Standard error, for notices and for a line of progress.
enum StandardError {
    /// Whether it is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a text.
    static func write(_ text: String) {
        // What cannot be written has nowhere else to be reported.
        _ = DescriptorOutput.writeAll(text, to: STDERR_FILENO)
    }

    /// Writes over the current line of a terminal; an empty text removes it.
    static func replaceLine(with text: String) { self.write("\r\u{1B}[K" + text) }
}
