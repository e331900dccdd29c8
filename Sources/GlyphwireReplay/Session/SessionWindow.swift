/// Part of a session, in time since its first frame at the recorded pace.
package struct SessionWindow: Sendable, Hashable {
    /// Start of the part; earlier frames are skipped.
    package var start: Duration
    /// End of the part, exclusive; `nil` for the session's end.
    package var until: Duration?
    /// Positions of the frames to keep, counted from 1; `nil` keeps all.
    package var frames: ClosedRange<Int>?

    /// Creates a window, by default of the whole session.
    package init(start: Duration = .zero, until: Duration? = nil, frames: ClosedRange<Int>? = nil) {
        self.start = start
        self.until = until
        self.frames = frames
    }
}

extension SessionWindow {
    /// Position of a frame relative to a window.
    enum Place {
        case before
        case inside
        case behind
    }

    /// Position of the frame with this number and recorded time.
    func place(ofFrame number: Int, at time: Duration) -> Place {
        if let until = self.until, time >= until { return .behind }
        if let frames = self.frames, number > frames.upperBound { return .behind }
        let isIn = time >= self.start && number >= self.frames?.lowerBound ?? 1
        return isIn ? .inside : .before
    }
}
