public import GlyphwireProtocol

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
