/// Part of a session, in time since its first frame at the recorded pace.
package struct SessionWindow: Sendable, Hashable {
    /// Frames before this are left out.
    package var start: Duration
    /// This frame and all behind it are left out; `nil` goes on to the end.
    package var until: Duration?
    /// Places in the session, counted from 1, of the frames to keep; `nil` keeps all.
    package var frames: ClosedRange<Int>?

    /// A window, by default on the whole session.
    package init(start: Duration = .zero, until: Duration? = nil, frames: ClosedRange<Int>? = nil) {
        self.start = start
        self.until = until
        self.frames = frames
    }
}

extension SessionWindow {
    /// Where a frame lies.
    enum Place {
        case before
        case inside
        case behind
    }

    /// Where the frame lies that is at this place in the session and was recorded at this time.
    func place(ofFrame number: Int, at time: Duration) -> Place {
        if let until = self.until, time >= until { return .behind }
        if let frames = self.frames, number > frames.upperBound { return .behind }
        let isIn = time >= self.start && number >= self.frames?.lowerBound ?? 1
        return isIn ? .inside : .before
    }
}
