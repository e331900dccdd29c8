internal import GlyphwireProtocol
package import NIOCore
internal import TextModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension TextEvent {
    /// The event as a JSON object, without a line feed.
    ///
    /// - Parameter patterns: The patterns of the stream, as written.
    /// - Returns: UTF-8.
    package func json(patterns: [String]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeJSON { json in
            json.object { json in
                json.string("type", self.kind.name)
                json.string("source", self.source)
                switch self.time {
                case .wall(let microseconds): json.string("time", Self.timestamp(microseconds))
                case .position(let microseconds):
                    json.number("position_s", Double(microseconds) / 1e6, precision: .confidence)
                }
                switch self.kind {
                case .appeared(let text), .lost(let text): json.members(of: text, patterns: patterns)
                case .changed(let text, let previous):
                    json.members(of: text, patterns: patterns)
                    json.string("previous", previous)
                case .online: break
                case .offline(let reason): json.string("reason", reason)
                }
            }
        }
        return buffer
    }

    /// Time as in RFC 3339, in UTC with milliseconds.
    static func timestamp(_ microseconds: UInt64) -> String {
        var seconds = time_t(clamping: microseconds / 1_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ value: some BinaryInteger, _ count: Int) -> String {
            let text = "\(value)"
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        return "\(parts.tm_year + 1900)-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))T"
            + "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))."
            + "\(digits(microseconds / 1000 % 1000, 3))Z"
    }
}

extension TextEvent.Kind {
    /// Value of `type`.
    fileprivate var name: String {
        switch self {
        case .appeared: "appeared"
        case .changed: "changed"
        case .lost: "lost"
        case .online: "online"
        case .offline: "offline"
        }
    }
}

extension JSONBuilder {
    fileprivate mutating func members(of text: ObservedText, patterns: [String]) {
        self.integer("id", text.id)
        self.string("text", text.text)
        if let confidence = text.confidence { self.number("confidence", confidence, precision: .confidence) }
        self.array("box") { json in
            for corner in text.box.corners {
                json.number(corner.x, precision: .pixels)
                json.number(corner.y, precision: .pixels)
            }
        }
        if let pattern = text.pattern, patterns.indices.contains(pattern) { self.string("pattern", patterns[pattern]) }
    }
}
