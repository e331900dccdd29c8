internal import GlyphwireProtocol
internal import NIOCore
internal import NIOConcurrencyHelpers

/// CSV log with a row for each frame of a run, written during the run.
///
/// It has its path once it is finished. The columns are explained in `docs/measuring.md`.
final class FrameLog: Sendable {
    private static let pieceByteCount = 256 << 10
    private static let columns = """
        stream,sequence,measured,status,reason,due_s,sent_s,ended_s,since_due_ms,since_sent_ms,\
        queue_us,decode_us,detect_us,recognize_us,server_us

        """

    private let file: OutputFile
    private let startsAt: ContinuousClock.Instant
    private let buffer = NIOLockedValueBox(ByteBuffer(string: FrameLog.columns))

    /// Creates a log for `path`, which is none of `inputs`; its times count from `startsAt`.
    init(path: String, apartFrom inputs: [String], startsAt: ContinuousClock.Instant) throws(ReplayError) {
        self.file = try OutputFile(path: path, apartFrom: inputs)
        self.startsAt = startsAt
    }

    func write(_ frame: FrameRecord, isMeasured: Bool) throws(ReplayError) {
        let isRead = frame.status == .ok
        let sinceDue = isRead ? Self.milliseconds(frame.dueAt, frame.endedAt) : ""
        let sinceSent = isRead ? frame.sentAt.map { Self.milliseconds($0, frame.endedAt) } ?? "" : ""
        let timings = frame.timings
        let row = """
            \(frame.stream + 1),\(frame.sequence),\(isMeasured ? 1 : 0),\(frame.status.status),\(frame.status.reason),\
            \(self.seconds(frame.dueAt)),\(frame.sentAt.map(self.seconds) ?? ""),\(self.seconds(frame.endedAt)),\
            \(sinceDue),\(sinceSent),\(timings.queue),\(timings.decode),\(timings.detect),\(timings.recognize),\
            \(timings.total)

            """
        try self.withBuffer { (buffer) throws(ReplayError) in
            buffer.writeString(row)
            if buffer.readableBytes >= Self.pieceByteCount { try self.flush(&buffer) }
        }
    }

    /// Writes the buffered rows, and gives the file its path.
    func finish() throws(ReplayError) {
        try self.withBuffer(self.flush)
        try self.file.finish()
    }

    /// Accesses the buffer with typed errors, which the lock's `withLockedValue` does not keep.
    private func withBuffer(_ body: (inout ByteBuffer) throws(ReplayError) -> Void) throws(ReplayError) {
        try self.buffer.withLockedValue { buffer in
            Result { () throws(ReplayError) in try body(&buffer) }
        }.get()
    }

    private func flush(_ buffer: inout ByteBuffer) throws(ReplayError) {
        try self.file.append(buffer)
        buffer.clear()
    }

    private func seconds(_ instant: ContinuousClock.Instant) -> String {
        Decimals.text(self.startsAt.duration(to: instant).milliseconds / 1000, places: 6)
    }

    private static func milliseconds(_ from: ContinuousClock.Instant, _ to: ContinuousClock.Instant) -> String {
        Decimals.text(from.duration(to: to).milliseconds, places: 3)
    }
}
