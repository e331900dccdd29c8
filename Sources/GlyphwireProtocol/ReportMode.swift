/// Content of the results of a stream.
public enum ReportMode: String, Sendable, Hashable, CaseIterable {
    /// All text of each frame. The default.
    case all
    /// What has changed since the previous result; text is then tracked from frame to frame.
    case changes
}
