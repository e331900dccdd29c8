internal import GlyphwireProtocol
internal import NIOCore
internal import TextModel

/// Recording of a session, which takes frames until their source ends or it is stopped.
struct SessionRecording {
    /// First message, which has every frame read, even if the session is sent all at once.
    private static let opening = Message(
        header: MessageHeader(type: .configure, payloadByteCount: 0),
        payload: ByteBuffer(string: #"{"delivery":"every"}"#)
    )

    private var writer: SessionWriter
    private let stop: StopSignal
    private let onFrame: @Sendable (Int) -> Void

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - output: The session's path.
    ///   - inputs: The files that are recorded, none of which it may replace.
    ///   - stop: The signal to end with the frames up to then.
    ///   - onFrame: Called with the number of frames so far.
    /// - Throws: ``ReplayError``.
    init(
        to output: String,
        apartFrom inputs: [String],
        until stop: StopSignal,
        onFrame: @escaping @Sendable (Int) -> Void
    ) throws(ReplayError) {
        self.writer = try SessionWriter(path: output, apartFrom: inputs)
        self.stop = stop
        self.onFrame = onFrame
        try self.writer.write(Self.opening)
    }

    /// Number of the next frame, counted from 1.
    var nextSequence: UInt64 { UInt64(self.writer.frameCount + 1) }

    /// Whether there should be no more frames.
    var isStopped: Bool { self.stop.isStopped }

    /// Adds a frame.
    mutating func add(_ frame: Message) throws(ReplayError) {
        try self.writer.write(frame)
        self.onFrame(self.writer.frameCount)
    }

    /// Keeps the frames of a live source in spite of an error: they cannot be recorded again.
    func keep() {
        if self.writer.frameCount > 0 { try? self.writer.keep() }
    }

    /// Ends the session, which replaces what its path had before.
    ///
    /// - Parameters:
    ///   - droppedFrames: The number of frames that could not be recorded.
    ///   - reason: The reason why there is no frame, where nothing has stopped the recording.
    /// - Returns: A summary of the recording.
    /// - Throws: ``ReplayError``; also if there is no frame.
    mutating func finish(droppedFrames: Int = 0, emptyFor reason: String) throws(ReplayError) -> Recorder.Summary {
        guard self.writer.frameCount > 0 else {
            throw ReplayError(.badPicture, self.isStopped ? "the recording was stopped before its first frame" : reason)
        }
        try self.writer.finish()
        return Recorder.Summary(
            frames: self.writer.frameCount,
            bytes: self.writer.byteCount,
            droppedFrames: droppedFrames
        )
    }
}
