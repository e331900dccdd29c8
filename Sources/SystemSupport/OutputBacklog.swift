package import NIOCore

/// Lines that wait for an ``OutputThread``.
package protocol OutputBacklog: Sendable {
    /// Whether no line waits.
    var isEmpty: Bool { get }

    /// Removes all lines, the oldest first.
    ///
    /// - Returns: The lines, each with its line feed; nothing if none waits.
    mutating func takeLines() -> ByteBuffer

    /// Records that the output has not taken some of the lines that were removed last.
    ///
    /// - Parameter count: The number of the last of them, up to their end.
    mutating func lost(_ count: Int)
}

extension OutputBacklog {
    /// Nothing, by default.
    package mutating func lost(_ count: Int) {}
}
