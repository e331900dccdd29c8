/// Treatment of frames with damaged data.
public enum DamagedFrames: String, Sendable, Hashable, CaseIterable {
    /// It is an error.
    case refuse
    /// The rows above the damage are read, and the result says where it begins.
    case read
}
