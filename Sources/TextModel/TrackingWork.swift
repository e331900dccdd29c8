/// Work that one frame of a stream with `temporal` took.
public struct TrackingWork: Sendable, Hashable {
    /// Largest scan of a frame for text.
    public enum Scan: String, Sendable, CaseIterable {
        /// None: all text was verified by its pixels.
        case none
        /// Regions of the frame, closely.
        case regions
        /// The whole frame coarsely, and regions of it closely.
        case coarse
        /// The whole frame closely.
        case full
    }

    /// Largest scan for text.
    public var scan: Scan
    /// Number of lines that were read.
    public var linesRead: Int

    /// Creates the work of a frame.
    public init(scan: Scan, linesRead: Int) {
        self.scan = scan
        self.linesRead = linesRead
    }
}
