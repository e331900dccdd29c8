internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Frame job: a frame on its way to a worker, with what is needed to read and answer it.
struct FrameJob: Sendable, Identifiable {
    /// Identity of a job.
    struct ID: Sendable, Hashable {
        let connection: ConnectionID
        let ticket: Int
    }

    /// The connection of the frame.
    let connection: ConnectionID
    /// Its place among the replies of the connection.
    let ticket: Int
    /// The client's own number for it.
    let sequence: UInt64
    /// The client's own time for it.
    let capturedMicroseconds: UInt64
    /// The format and size of the picture.
    let frame: FrameDescription
    /// The picture.
    let payload: ByteBuffer
    /// The options of the stream.
    let configuration: StreamConfiguration
    /// The memory of earlier frames; `nil` where frames are not compared.
    let memory: StreamMemory?
    /// The arrival of the frame.
    let arrival: FrameArrival
    /// Receives the answer, on any thread.
    let finish: @Sendable (FinishedFrame, FrameJob) -> Void

    var id: ID { ID(connection: self.connection, ticket: self.ticket) }

    /// Whether the frame is past its deadline.
    func isExpired(at now: ContinuousClock.Instant) -> Bool {
        guard let deadline = self.configuration.deadlineMilliseconds else { return false }
        return max(now - self.arrival.time, self.arrival.age(at: now) ?? .zero) > .milliseconds(deadline)
    }

    /// The answer to a frame that is not read.
    ///
    /// - Parameters:
    ///   - outcome: The reason.
    ///   - now: The end of its wait.
    /// - Returns: The answer with its line.
    func unread(_ outcome: FrameResult.Outcome, at now: ContinuousClock.Instant) -> FinishedFrame {
        let waited = (now - self.arrival.time).microseconds
        return FinishedFrame(
            FrameResult(
                sequence: self.sequence,
                capturedMicroseconds: self.capturedMicroseconds,
                outcome: outcome,
                ageMilliseconds: self.arrival.ageMilliseconds(at: now),
                timings: FrameTimings(queue: waited, total: waited)
            )
        )
    }
}

/// Answer to a frame.
struct FinishedFrame: Sendable {
    /// The line, with its line feed.
    let line: ByteBuffer
    /// The result that the line reports.
    let result: FrameResult
}

extension FinishedFrame {
    /// An answer with its line.
    ///
    /// - Parameters:
    ///   - result: The result of the frame.
    ///   - expectedByteCount: The expected length of the line; a good estimate saves growing its buffer.
    init(_ result: FrameResult, expectedByteCount: Int = 256) {
        var line = ByteBufferAllocator().buffer(capacity: expectedByteCount)
        LineWriter().write(result: result, into: &line)
        self.line = line
        self.result = result
    }
}
