/// What becomes of frames that come faster than they are read.
public enum Delivery: String, Sendable, Hashable, CaseIterable {
    /// One frame is in work and one waits; a newer one takes the place of the one that waits. The default.
    case live
    /// Every frame is read; the server stops reading from the socket while it holds as many as its window.
    case every
}
