internal import GlyphwireProtocol
package import Logging
package import NIOCore
internal import SystemSupport

/// Log handler that writes each entry as one line of JSON, for collectors that parse logs.
///
/// A line has `time` (RFC 3339, UTC), `level` and `message`, and the metadata as further members: numbers as numbers,
/// everything else as strings.
package struct JSONLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let write: @Sendable (ByteBuffer) -> Void

    /// A handler.
    ///
    /// - Parameter write: Writes a line, with its line feed.
    package init(write: @escaping @Sendable (ByteBuffer) -> Void) { self.write = write }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let metadata = self.metadata.merging(event.metadata ?? [:]) { _, new in new }
        var line = ByteBuffer()
        line.writeJSON { json in
            json.object { json in
                json.string("time", WallClock.timestamp(microseconds: WallClock.microseconds))
                json.string("level", event.level.rawValue)
                json.string("message", "\(event.message)")
                for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
                    json.name(key)
                    switch value {
                    case .stringConvertible(let number as Int): json.integer(number)
                    case .stringConvertible(let number as UInt64): json.integer(number)
                    default: json.string("\(value)")
                    }
                }
            }
        }
        line.writeString("\n")
        self.write(line)
    }
}
