internal import NIOCore
internal import SystemSupport

/// Lines of the log that wait for its output; behind them stands how many were lost before, or found no room.
struct LogBacklog: OutputBacklog {
    /// Maximum number of bytes that wait: about 5000 lines, so that none is lost while a collector starts again.
    private static let capacity = 1 << 20

    private let notice: @Sendable (_ lostCount: Int) -> ByteBuffer
    private var lines = ByteBuffer()
    /// Number of lines that came after these and found no room.
    private var refusedCount = 0
    /// Number of earlier lines that the output has not taken, and of which no line says so.
    private var lostCount = 0
    /// Number of lost lines in the notice behind the lines that were taken last; 0 without one.
    private var noticedCount = 0

    /// Creates a backlog without lines.
    ///
    /// - Parameter notice: Returns a line that says how many others are lost.
    init(notice: @escaping @Sendable (_ lostCount: Int) -> ByteBuffer) {
        self.notice = notice
    }

    var isEmpty: Bool { self.lines.readableBytes == 0 }

    /// Adds a line with its line feed, or counts it where there is no room.
    mutating func append(_ line: ByteBuffer) {
        if self.hasRoom(for: line) { self.lines.writeImmutableBuffer(line) } else { self.refusedCount += 1 }
    }

    /// Whether there is room for `line`: no later one comes before one that is lost.
    private func hasRoom(for line: ByteBuffer) -> Bool {
        self.isEmpty || self.refusedCount == 0 && self.lines.readableBytes + line.readableBytes <= Self.capacity
    }

    mutating func takeLines() -> ByteBuffer {
        var taken = ByteBuffer()
        guard !self.isEmpty else { return taken }
        swap(&taken, &self.lines)
        self.noticedCount = self.lostCount + self.refusedCount
        (self.lostCount, self.refusedCount) = (0, 0)
        if self.noticedCount > 0 { taken.writeImmutableBuffer(self.notice(self.noticedCount)) }
        return taken
    }

    mutating func lost(_ count: Int) {
        guard count > 0 else { return }
        // The notice is the last line, and stands for those that it counts.
        self.lostCount += self.noticedCount > 0 ? self.noticedCount + count - 1 : count
        self.noticedCount = 0
    }
}
