internal import NIOCore
internal import SystemSupport

/// Events that wait for an output; where there are too many, the oldest of live sources are dropped.
struct EventBacklog {
    /// Maximum number of events that wait, unless none may be dropped.
    private static let capacity = 1000

    private struct Event {
        let bytes: ByteBuffer
        /// Whether it may be dropped: events of files wait for room.
        let mayBeDropped: Bool
    }

    private var events = CircularBuffer<Event>()
    /// Whether events were dropped since the backlog was last found empty.
    private var hasDropped = false

    var count: Int { self.events.count }
    var isEmpty: Bool { self.events.isEmpty }
    var hasRoom: Bool { self.events.count < Self.capacity }

    /// Adds an event, for which the oldest one that may be dropped makes room; where there is none, it is dropped itself.
    ///
    /// - Parameters:
    ///   - bytes: The event.
    ///   - mayBeDropped: Whether it may be dropped; else it is added whether there is room or not.
    /// - Returns: Whether an event was dropped for the first time, which is to be reported.
    mutating func append(_ bytes: ByteBuffer, mayBeDropped: Bool = true) -> Bool {
        let event = Event(bytes: bytes, mayBeDropped: mayBeDropped)
        guard mayBeDropped, !self.hasRoom else {
            self.events.append(event)
            return false
        }
        if let oldest = self.events.firstIndex(where: \.mayBeDropped) {
            self.events.remove(at: oldest)
            self.events.append(event)
        }
        defer { self.hasDropped = true }
        return !self.hasDropped
    }

    /// Removes the oldest event; `nil` if none waits.
    mutating func popFirst() -> ByteBuffer? {
        if self.isEmpty { self.hasDropped = false }
        return self.events.popFirst()?.bytes
    }
}

extension EventBacklog: OutputBacklog {
    /// Removes all events, the oldest first, each as a line.
    mutating func takeLines() -> ByteBuffer {
        if self.isEmpty { self.hasDropped = false }
        var lines = ByteBuffer()
        for event in self.events {
            lines.writeImmutableBuffer(event.bytes)
            lines.writeString("\n")
        }
        self.events = CircularBuffer()
        return lines
    }
}
