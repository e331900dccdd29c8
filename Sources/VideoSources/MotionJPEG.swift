internal import GlyphwireProtocol
internal import GlyphwireClient
internal import NIOCore
internal import SystemSupport

/// Receiver of a motion JPEG stream, which puts its frames into a mailbox.
struct MotionJPEG {
    private let mailbox: FrameMailbox
    private var splitter: MJPEGSplitter
    private var pace: FramePace?
    /// Whether no whole frame has come.
    private(set) var isEmpty = true

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - maxFrameBytes: Maximum number of bytes of a frame.
    ///   - maxRate: Maximum rate of frames; `nil` takes all.
    ///   - mailbox: Takes the frames.
    init(maxFrameBytes: Int, maxRate: FrameRate?, mailbox: FrameMailbox) {
        self.splitter = MJPEGSplitter(maxFrameBytes: maxFrameBytes)
        self.pace = maxRate.map { FramePace($0) }
        self.mailbox = mailbox
    }

    /// Receives bytes of the stream.
    mutating func receive(_ chunk: ByteBuffer) {
        self.splitter.append(chunk)
        self.putFrames()
    }

    /// Ends the stream.
    mutating func finish() {
        self.splitter.finish()
        self.putFrames()
    }

    private mutating func putFrames() {
        let dropped = self.splitter.droppedFrames
        while let jpeg = self.splitter.next() {
            self.isEmpty = false
            if self.pace?.takesFrame(at: .now) ?? true {
                self.mailbox.put(Frame(jpeg: jpeg, capturedMicroseconds: WallClock.microseconds))
            } else {
                self.mailbox.skip()
            }
        }
        self.mailbox.reject(self.splitter.droppedFrames - dropped)
    }
}
