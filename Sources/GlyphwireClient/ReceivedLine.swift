public import GlyphwireProtocol
internal import TextModel
public import NIOCore

/// Line from the server with its bytes and the time of its arrival.
public struct ReceivedLine: Sendable {
    /// Parsed line.
    public var line: ServerLine
    /// Line as received, without its line feed; empty for one that the client makes.
    ///
    /// It makes the result of a lost frame, and the `end` that a server which stops does not send.
    public var bytes: ByteBuffer
    /// Time at which its last bytes arrived.
    public var receivedAt: ContinuousClock.Instant
    /// Time at which the answered frame was written to the socket; `nil` for other lines.
    public var sentAt: ContinuousClock.Instant?

    /// Time from writing the frame to its result; `nil` for other lines.
    public var roundTrip: Duration? { self.sentAt?.duration(to: self.receivedAt) }
}

extension ReceivedLine {
    /// Creates the result of a frame that was lost with its connection.
    static func lost(_ frame: SentFrame, at now: ContinuousClock.Instant) -> ReceivedLine {
        let error = WireError(.connectionLost, "the connection was lost before the frame was answered; send it again")
        let result = FrameResult(
            sequence: frame.sequence,
            capturedMicroseconds: frame.capturedMicroseconds,
            outcome: .error(error),
            timings: FrameTimings()
        )
        return ReceivedLine(line: .result(result), bytes: ByteBuffer(), receivedAt: now, sentAt: frame.sentAt)
    }
}
