/// Frames that wait: the newest of each stream, within limits beyond which those that have waited longest are dropped.
struct WaitingFrames<Frame: Sendable>: Sendable {
    private struct Entry: Sendable {
        let frame: Frame
        let byteCount: Int
    }

    private let maxCount: Int
    private let maxBytes: Int
    private var entries: [UInt64: Entry] = [:]
    /// Streams of ``entries``, by waiting time.
    private var order: [UInt64] = []
    private var byteCount = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - maxCount: The maximum number of frames. Default 1024: one of each connection that is open by default.
    ///   - maxBytes: The maximum number of bytes of frames; the newest frame stays, however large it is.
    init(maxCount: Int = 1024, maxBytes: Int) {
        self.maxCount = maxCount
        self.maxBytes = maxBytes
    }

    /// Whether no frame waits.
    var isEmpty: Bool { self.order.isEmpty }

    /// Adds a frame, which replaces an older one of its stream in its place.
    mutating func add(_ frame: Frame, byteCount: Int, of stream: UInt64) {
        if let old = self.entries.updateValue(Entry(frame: frame, byteCount: byteCount), forKey: stream) {
            self.byteCount -= old.byteCount
        } else {
            self.order.append(stream)
        }
        self.byteCount += byteCount
        while self.order.count > self.maxCount || self.byteCount > self.maxBytes,
            let oldest = self.order.first(where: { $0 != stream })
        {
            self.remove(oldest)
        }
    }

    /// Removes and returns the frame of the stream that has waited longest; `nil` if none waits.
    mutating func popFirst() -> Frame? { self.order.first.flatMap { self.remove($0) } }

    /// Removes the frame of a stream.
    ///
    /// - Returns: The frame, if one waited.
    @discardableResult
    mutating func remove(_ stream: UInt64) -> Frame? {
        guard let entry = self.entries.removeValue(forKey: stream) else { return nil }
        self.order.removeAll { $0 == stream }
        self.byteCount -= entry.byteCount
        return entry.frame
    }

    /// Removes the frames of all streams but `streams`.
    mutating func removeAll(except streams: Set<UInt64> = []) {
        for stream in self.order where !streams.contains(stream) { self.remove(stream) }
    }
}
