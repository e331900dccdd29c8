internal import GlyphwireProtocol

/// Reads the messages of a session that lie in a window.
///
/// The options that were in force where the window begins are kept, and every other message in front of it is left out.
struct WindowedReader: Sendable {
    private var reader: SessionReader
    private let window: SessionWindow
    private var schedule = FrameSchedule(.recorded(speed: 1))
    /// The last `configure` in front of the window.
    private var configure: Message?
    /// The first frame in the window, while its `configure` is handed out.
    private var firstFrame: Message?
    /// The place of the last frame that was read, counted from 1.
    private var frameNumber = 0
    private var isOpen: Bool
    private var isPast = false

    init(_ reader: SessionReader, window: SessionWindow) {
        self.reader = reader
        self.window = window
        self.isOpen = window.place(ofFrame: 1, at: .zero) == .inside
    }

    /// How the session ends, once ``next()`` has given its last message; a window that ends before it is whole.
    var ending: SessionReader.Ending? { self.isPast ? .whole : self.reader.ending }

    /// The next message, `nil` after the last.
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

    /// The frame, or what has to be sent in front of it.
    private mutating func open(with frame: Message) -> Message {
        self.isOpen = true
        guard let configure = self.configure else { return frame }
        self.configure = nil
        self.firstFrame = frame
        return configure
    }
}
