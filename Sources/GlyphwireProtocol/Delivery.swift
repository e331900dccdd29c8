/// Treatment of frames that arrive faster than they are read.
public enum Delivery: String, Sendable, Hashable, CaseIterable {
    /// One frame is read and one waits; a newer frame supersedes the waiting one. The default.
    case live
    /// Every frame is read; the server stops reading from the socket while its window is full.
    case every
}
