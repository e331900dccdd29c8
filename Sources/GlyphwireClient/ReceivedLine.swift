public import GlyphwireProtocol
internal import TextModel
public import NIOCore

/// Line from the server with its bytes and the time of its arrival.
public struct ReceivedLine: Sendable {
    /// What it says.
    public var line: ServerLine
    /// The line as it was received, without its line feed; empty for the result of a frame that was lost.
    public var bytes: ByteBuffer
    /// When its last bytes came in.
    public var receivedAt: ContinuousClock.Instant
    /// When the frame that it answers was handed to the socket; `nil` for other lines.
    public var sentAt: ContinuousClock.Instant?

    /// From handing the frame to the socket to its result; `nil` for lines that answer no frame.
    public var roundTrip: Duration? { self.sentAt?.duration(to: self.receivedAt) }
}

extension ReceivedLine {
    /// The result of a frame that was lost with its connection.
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

/// All lines of a connection, in the order they came.
///
/// Reading from the socket pauses while more than ``GlyphwireConnection/Configuration/lineBuffer`` lines wait here. A loop
/// may be left and another one begun: each line goes to the next that asks. The sequence ends after ``ServerLine/end(_:)``
/// or when the connection is closed, and throws ``GlyphwireClientError`` when it is lost.
public struct ServerLines: AsyncSequence, Sendable {
    /// Held so that the connection stays open while the sequence is in use.
    let connection: GlyphwireConnection

    /// An iterator over the lines that were not taken yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: self.connection) }

    /// Waits for one line after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let connection: GlyphwireConnection

        /// The next line, `nil` after the last.
        public mutating func next() async throws -> ReceivedLine? { try await self.connection.queue.next() }
    }
}

/// One result for every frame that was sent, in the order of the frames.
///
/// This is ``ServerLines`` without the lines that are no results; those are passed over.
public struct FrameResults: AsyncSequence, Sendable {
    /// Held so that the connection stays open while the sequence is in use.
    let connection: GlyphwireConnection

    /// An iterator over the results that were not taken yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: self.connection) }

    /// Waits for one result after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let connection: GlyphwireConnection

        /// The next frame's result, `nil` after the last.
        public mutating func next() async throws -> FrameResult? {
            while let received = try await self.connection.queue.next() {
                if case .result(let result) = received.line { return result }
            }
            return nil
        }
    }
}
