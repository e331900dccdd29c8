internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Queued frame, with all that is needed to read and answer it.
struct FrameJob: Sendable, Identifiable {
    /// Identity of a job.
    struct ID: Sendable, Hashable {
        let connection: ConnectionID
        let ticket: Int
    }

    /// Connection of the frame.
    let connection: ConnectionID
    /// Position among the replies of the connection.
    let ticket: Int
    /// Client's sequence number.
    let sequence: UInt64
    /// Client's capture time.
    let capturedMicroseconds: UInt64
    /// Format and size of the picture.
    let frame: FrameDescription
    /// Encoded picture.
    let payload: ByteBuffer
    /// Options of the stream.
    let configuration: StreamConfiguration
    /// Tracking state of the stream; `nil` where frames are not compared.
    let tracking: TrackingState?
    /// Arrival of the frame.
    let arrival: FrameArrival
    /// Time in which the picture was decoded before it was queued.
    var decoding = Duration.zero
    /// Callback for the answer, on any thread.
    let finish: @Sendable (FinishedFrame, FrameJob) -> Void

    var id: ID { ID(connection: self.connection, ticket: self.ticket) }

    /// Whether the frame's deadline has passed.
    func isExpired(at now: ContinuousClock.Instant) -> Bool {
        guard let deadline = self.configuration.deadlineMilliseconds else { return false }
        return max(now - self.arrival.time, self.arrival.age(at: now) ?? .zero) > .milliseconds(deadline)
    }

    /// Durations of its stages until `now`, at which its wait ends.
    func timings(at now: ContinuousClock.Instant) -> FrameTimings {
        let waited = now - self.arrival.time
        return FrameTimings(
            queue: (waited - self.decoding).microseconds,
            decode: self.decoding.microseconds,
            total: waited.microseconds
        )
    }

    /// Answer to a frame that is not read.
    ///
    /// - Parameters:
    ///   - outcome: The reason.
    ///   - now: The end of its wait.
    /// - Returns: The answer with its line.
    func unread(_ outcome: FrameResult.Outcome, at now: ContinuousClock.Instant) -> FinishedFrame {
        FinishedFrame(
            FrameResult(
                sequence: self.sequence,
                capturedMicroseconds: self.capturedMicroseconds,
                outcome: outcome,
                ageMilliseconds: self.arrival.ageMilliseconds(at: now),
                timings: self.timings(at: now)
            )
        )
    }
}

/// Answer to a frame.
struct FinishedFrame: Sendable {
    /// Line with its line feed.
    let line: ByteBuffer
    /// Result that the line reports.
    let result: FrameResult
}

extension FinishedFrame {
    /// Creates an answer with its line.
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

    /// Line with all text, also of a stream that reports changes.
    var completeLine: ByteBuffer {
        guard case .ok(var text) = self.result.outcome, text.changes != nil else { return self.line }
        text.changes = nil
        var result = self.result
        result.outcome = .ok(text)
        return FinishedFrame(result).line
    }
}
