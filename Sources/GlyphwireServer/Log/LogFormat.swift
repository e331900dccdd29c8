package import Logging
package import NIOCore

/// Format of the log.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Lines for people.
    case text
    /// A JSON object on each line, for collectors.
    case json

    /// Handler of entries in this format.
    ///
    /// - Parameters:
    ///   - label: The name of the program.
    ///   - write: Writes a line, with its line feed.
    /// - Returns: The handler.
    package func handler(label: String, write: @escaping @Sendable (ByteBuffer) -> Void) -> any LogHandler {
        switch self {
        case .text: TextLogHandler(label: label, write: write)
        case .json: JSONLogHandler(write: write)
        }
    }
}
