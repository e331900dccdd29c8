public import GlyphwireProtocol
internal import TextModel
public import NIOCore

/// Line from the server with its bytes and the time of its arrival.
public struct ReceivedLine: Sendable {
    /// Parsed line.
    public var line: ServerLine
    /// Line as received, without its line feed; empty for the result of a lost frame.
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

/// All lines of a connection, in order.
///
/// Reading from the socket pauses while ``GlyphwireConnection/Configuration/lineBuffer`` lines are unread. Hello lines,
/// and answers that a call such as ``GlyphwireConnection/ping(capturedMicroseconds:)`` returns, do not count for that,
/// and are left out where as many lines are unread.
/// After ``GlyphwireConnection/finish()`` reading no longer pauses.
///
/// Several loops may read one after another: each line is returned once. The sequence ends after ``ServerLine/end(_:)``
/// or when the connection is closed, and throws ``GlyphwireClientError`` when it is lost.
public struct ServerLines: AsyncSequence, Sendable {
    /// Connection, which stays open while the sequence is in use.
    let connection: GlyphwireConnection

    /// Creates an iterator over the unread lines.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: self.connection) }

    /// Iterator that waits for each line.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let connection: GlyphwireConnection

        /// Returns the next line; `nil` after the last.
        public mutating func next() async throws -> ReceivedLine? { try await self.connection.queue.next() }
    }
}

/// Results of a connection: one for every frame that was sent, in order.
///
/// It is ``ServerLines`` without the lines that are not results, which are skipped.
public struct FrameResults: AsyncSequence, Sendable {
    /// Connection, which stays open while the sequence is in use.
    let connection: GlyphwireConnection

    /// Creates an iterator over the unread results.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: self.connection) }

    /// Iterator that waits for each result.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let connection: GlyphwireConnection

        /// Returns the next frame's result; `nil` after the last.
        public mutating func next() async throws -> FrameResult? {
            while let received = try await self.connection.queue.next() {
                if case .result(let result) = received.line { return result }
            }
            return nil
        }
    }
}
