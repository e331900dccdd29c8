internal import GlyphwireProtocol
internal import NIOCore

/// A frame on its way to a worker: all that is needed to read it and to hand back its line.
struct FrameJob: Sendable {
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
    /// When its last byte was there.
    let received: ContinuousClock.Instant
    /// Takes the answer, on any thread.
    let finish: @Sendable (FinishedFrame, _ ticket: Int) -> Void
}

/// A frame that a worker has answered.
struct FinishedFrame: Sendable {
    /// The line, with its line feed.
    let line: ByteBuffer
    /// Whether the frame was read.
    let isRead: Bool
    /// How long the stages took.
    let timings: FrameTimings
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
        self.isRead = if case .ok = result.outcome { true } else { false }
        self.timings = result.timings
    }
}
