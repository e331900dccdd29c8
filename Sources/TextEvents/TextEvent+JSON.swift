internal import GlyphwireProtocol
package import NIOCore
internal import TextModel

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
                case .wall(let microseconds): json.string("time", WallClock.timestamp(microseconds: microseconds))
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
