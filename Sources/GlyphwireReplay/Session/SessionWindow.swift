/// The part of a session that is played or kept, counted from its first frame at the pace it was recorded.
package struct SessionWindow: Sendable, Hashable {
    /// Frames before this are left out.
    package var start: Duration
    /// This frame and all behind it are left out; `nil` goes on to the end.
    package var until: Duration?
    /// Frames whose place in the session, counted from 1, is not among these are left out; `nil` leaves out none.
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
