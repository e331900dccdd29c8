internal import GlyphwireProtocol
internal import NIOCore
internal import NIOConcurrencyHelpers
internal import TextModel

/// CSV log with a row for each frame of a run, written during the run.
///
/// It has its path once it is finished. The columns are explained in `docs/measuring.md`. An error in writing ends the
/// log, not the run, and is thrown when the log is finished.
final class FrameLog: Sendable {
    private struct State {
        var buffer = ByteBuffer(string: FrameLog.columns)
        /// First error in writing the file.
        var failure: ReplayError?
    }

    private static let pieceByteCount = 256 << 10
    private static let columns = """
        stream,sequence,measured,status,reason,due_s,sent_s,ended_s,since_due_ms,since_sent_ms,\
        queue_us,decode_us,detect_us,recognize_us,server_us

        """

    private let file: OutputFile
    private let startsAt: ContinuousClock.Instant
    private let state = NIOLockedValueBox(State())

    /// Creates a log for `path`, which is none of `inputs`; its times count from `startsAt`.
    init(path: String, apartFrom inputs: [String], startsAt: ContinuousClock.Instant) throws(ReplayError) {
        self.file = try OutputFile(path: path, apartFrom: inputs)
        self.startsAt = startsAt
    }

    func write(_ frame: FrameRecord, isMeasured: Bool) {
        let isRead = frame.status == .ok
        let sinceDue = isRead ? Self.milliseconds(frame.dueAt, frame.endedAt) : ""
        let sinceSent = isRead ? frame.sentAt.map { Self.milliseconds($0, frame.endedAt) } ?? "" : ""
        let timings = frame.timings
        let row = """
            \(frame.stream + 1),\(frame.sequence),\(isMeasured ? 1 : 0),\
            \(Self.field(frame.status.status)),\(Self.field(frame.status.reason)),\
            \(self.seconds(frame.dueAt)),\(frame.sentAt.map(self.seconds) ?? ""),\(self.seconds(frame.endedAt)),\
            \(sinceDue),\(sinceSent),\(timings.queue),\(timings.decode),\(timings.detect),\(timings.recognize),\
            \(timings.total)

            """
        self.state.withLockedValue { state in
            state.buffer.writeString(row)
            if state.buffer.readableBytes >= Self.pieceByteCount { self.flush(&state) }
        }
    }

    /// Writes the buffered rows, and gives the file its path.
    ///
    /// - Throws: The first ``ReplayError`` of any write.
    func finish() throws(ReplayError) {
        let failure = self.state.withLockedValue { state -> ReplayError? in
            self.flush(&state)
            return state.failure
        }
        if let failure { throw failure }
        try self.file.finish()
    }

    private func flush(_ state: inout State) {
        do throws(ReplayError) {
            if state.failure == nil { try self.file.append(state.buffer) }
        } catch {
            state.failure = error
        }
        state.buffer.clear()
    }

    /// Text as one field, in quotes where it could be taken for several (RFC 4180).
    private static func field(_ text: String) -> String {
        // Bytes, since a comma before a combining mark is another character.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else { return text }
        return text.quotedForCSV
    }

    private func seconds(_ instant: ContinuousClock.Instant) -> String {
        Decimals.text(self.startsAt.duration(to: instant).milliseconds / 1000, places: 6)
    }

    private static func milliseconds(_ from: ContinuousClock.Instant, _ to: ContinuousClock.Instant) -> String {
        Decimals.text(from.duration(to: to).milliseconds, places: 3)
    }
}
