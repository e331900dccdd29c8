/// Policy for frames with damaged data.
public enum DamagedFrames: String, Sendable, Hashable, CaseIterable {
    /// Damaged frames are rejected with an error.
    case refuse
    /// The rows above the damage are read, and the result reports the first damaged row.
    case read
}
