internal import NIOCore

/// Events that wait for an output; where there are too many, the oldest are dropped.
struct EventBacklog {
    /// Maximum number of events that wait, unless none may be dropped.
    private static let capacity = 1000

    private var events = CircularBuffer<ByteBuffer>()
    /// Whether events were dropped since the backlog was last found empty.
    private var hasDropped = false

    var count: Int { self.events.count }
    var isEmpty: Bool { self.events.isEmpty }
    var hasRoom: Bool { self.events.count < Self.capacity }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - dropsOldest: Whether the oldest event is dropped if there is no room.
    /// - Returns: Whether it is the first that was dropped, which is to be reported.
    mutating func append(_ event: ByteBuffer, dropsOldest: Bool = true) -> Bool {
        var isFirstDrop = false
        if dropsOldest, !self.hasRoom {
            self.events.removeFirst()
            isFirstDrop = !self.hasDropped
            self.hasDropped = true
        }
        self.events.append(event)
        return isFirstDrop
    }

    /// Removes the oldest event; `nil` if none waits.
    mutating func popFirst() -> ByteBuffer? {
        if self.isEmpty { self.hasDropped = false }
        return self.events.popFirst()
    }

    /// Removes all events, the oldest first.
    mutating func removeAll() -> CircularBuffer<ByteBuffer> {
        if self.isEmpty { self.hasDropped = false }
        defer { self.events = CircularBuffer() }
        return self.events
    }
}
