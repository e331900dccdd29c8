internal import GlyphwireProtocol
package import NIOCore
internal import SystemSupport

extension TextEvent {
    /// The event as a JSON object, without a line feed.
    ///
    /// - Parameter source: The source of the event.
    /// - Returns: UTF-8.
    package func json(of source: EventSource) -> ByteBuffer {
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
                case .text(let change):
                    json.members(of: change.text, source.coordinates.precision)
                    if let pattern = source.pattern(of: change.text) { json.string("pattern", pattern) }
                    if case .changed(_, let previous) = change { json.string("previous", previous) }
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
        case .text(let change): change.name
        case .online: "online"
        case .offline: "offline"
        }
    }
}
