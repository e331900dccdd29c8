internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// A frame on its way to a worker: all that is needed to read it and to hand back its line.
struct FrameJob: Sendable, Identifiable {
    /// What tells a job from all others.
    struct ID: Sendable, Hashable {
        let connection: ConnectionID
        let ticket: Int
    }

    /// Whose frame it is.
    let connection: ConnectionID
    /// Its place among the replies of the connection.
    let ticket: Int
    /// The client's own number for it.
    let sequence: UInt64
    /// The client's own time for it.
    let capturedMicroseconds: UInt64
    /// How its payload holds the picture.
    let frame: FrameDescription
    /// The picture.
    let payload: ByteBuffer
    /// What the client wants to know.
    let configuration: StreamConfiguration
    /// What earlier frames told; `nil` where frames are not compared.
    let memory: StreamMemory?
    /// When it came in, and how old it was then.
    let arrival: FrameArrival
    /// Takes the answer, on any thread.
    let finish: @Sendable (FinishedFrame, FrameJob) -> Void

    var id: ID { ID(connection: self.connection, ticket: self.ticket) }

    /// Whether it is too old to be begun.
    func isExpired(at now: ContinuousClock.Instant) -> Bool {
        guard let deadline = self.configuration.deadlineMilliseconds else { return false }
        return max(now - self.arrival.time, self.arrival.age(at: now) ?? .zero) > .milliseconds(deadline)
    }

    /// The answer to the frame if it is not read.
    ///
    /// - Parameters:
    ///   - outcome: Why it is not.
    ///   - now: The time until which it waited.
    /// - Returns: The answer, written out.
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

/// A frame that was answered.
struct FinishedFrame: Sendable {
    /// The line, with its line feed.
    let line: ByteBuffer
    /// What the line says.
    let result: FrameResult
}

extension FinishedFrame {
    /// The answer to a frame, written out.
    ///
    /// - Parameters:
    ///   - result: What became of the frame.
    ///   - expectedByteCount: How long the line may be; a good guess saves growing its buffer.
    init(_ result: FrameResult, expectedByteCount: Int = 256) {
        var line = ByteBufferAllocator().buffer(capacity: expectedByteCount)
        LineWriter().write(result: result, into: &line)
        self.line = line
        self.result = result
    }
}
