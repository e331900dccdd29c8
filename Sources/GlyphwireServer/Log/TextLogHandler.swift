package import Logging
package import NIOCore

/// Log handler that writes each entry as one line for people, with its facts as `KEY=VALUE`.
///
/// A value that would not read as one, with a space, `=` or a quotation mark in it, is in quotation marks: text of a peer cannot
/// add facts to a line.
package struct TextLogHandler: LogHandler {
    /// Stream of lines, each of which comes whole.
    private struct LineStream: TextOutputStream, Sendable {
        let writeLine: @Sendable (ByteBuffer) -> Void

        func write(_ line: String) { self.writeLine(ByteBuffer(string: line)) }
    }

    private var base: StreamLogHandler

    /// A handler.
    ///
    /// - Parameters:
    ///   - label: The name of the program.
    ///   - write: Writes a line, with its line feed.
    package init(label: String, write: @escaping @Sendable (ByteBuffer) -> Void) {
        self.base = StreamLogHandler(label: label, stream: LineStream(writeLine: write))
    }

    package var logLevel: Logger.Level {
        get { self.base.logLevel }
        set { self.base.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { self.base.metadata }
        set { self.base.metadata = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.base[metadataKey: key] }
        set { self.base[metadataKey: key] = newValue }
    }

    package func log(event: LogEvent) {
        var event = event
        event.metadata = self.metadata.merging(event.metadata ?? [:]) { _, new in new }.mapValues(\.quoted)
        self.base.log(event: event)
    }
}

extension Logger.MetadataValue {
    /// The value as one word: in quotation marks where it has a space, `=` or one of them.
    fileprivate var quoted: Logger.MetadataValue {
        let text = "\(self)"
        // By scalar: with a combining mark behind it, a quotation mark is another character.
        guard text.unicodeScalars.contains(where: { " =\"".unicodeScalars.contains($0) }) else { return self }
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
        return .string("\"\(escaped.joined())\"")
    }
}
