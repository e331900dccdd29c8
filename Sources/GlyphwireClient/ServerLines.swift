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
