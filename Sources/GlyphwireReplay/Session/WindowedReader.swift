internal import GlyphwireProtocol

/// Reader of the messages of a session in a window.
///
/// The options in effect at the start of the window are kept; all other earlier messages are skipped.
struct WindowedReader: Sendable {
    private var reader: SessionReader
    private let window: SessionWindow
    private var schedule = FrameSchedule(.recorded(speed: 1))
    /// Last `configure` before the window.
    private var configure: Message?
    /// First frame in the window, while its `configure` is returned first.
    private var firstFrame: Message?
    /// Position of the last frame that was read, counted from 1.
    private(set) var frameNumber = 0
    private var isOpen: Bool
    private var isPast = false

    init(_ reader: SessionReader, window: SessionWindow) {
        self.reader = reader
        self.window = window
        self.isOpen = window.place(ofFrame: 1, at: .zero) == .inside
    }

    /// Ending of the session, once ``next()`` has returned its last message; whole if the window ends earlier.
    var ending: SessionReader.Ending? { self.isPast ? .whole : self.reader.ending }

    /// Returns the next message; `nil` after the last.
    mutating func next() throws(ReplayError) -> Message? {
        if let frame = self.firstFrame {
            self.firstFrame = nil
            return frame
        }
        while !self.isPast, let message = try self.reader.next() {
            switch MessageType(rawValue: message.header.type) {
            case .frame:
                let time = self.schedule.next(capturedMicroseconds: message.header.capturedMicroseconds)
                self.frameNumber += 1
                switch self.window.place(ofFrame: self.frameNumber, at: time) {
                case .before: continue
                case .inside: return self.open(with: message)
                case .behind: self.isPast = true
                }
            case .configure where !self.isOpen:
                self.configure = message
            default:
                if self.isOpen { return message }
            }
        }
        return nil
    }

    /// Returns the frame, or the `configure` to send before it.
    private mutating func open(with frame: Message) -> Message {
        self.isOpen = true
        guard let configure = self.configure else { return frame }
        self.configure = nil
        self.firstFrame = frame
        return configure
    }
}
