/// Work that one frame of a stream with `temporal` took.
package struct TrackingWork: Sendable, Hashable {
    /// Largest scan of a frame for text.
    package enum Scan: String, Sendable, CaseIterable, Comparable {
        /// None: all text was verified by its pixels.
        case none
        /// Regions of the frame, closely.
        case regions
        /// The whole frame coarsely, and regions of it closely.
        case coarse
        /// The whole frame closely.
        case full

        /// Whether the first scan is of less, or coarser.
        package static func < (lhs: Scan, rhs: Scan) -> Bool { lhs.rank < rhs.rank }

        private var rank: Int {
            switch self {
            case .none: 0
            case .regions: 1
            case .coarse: 2
            case .full: 3
            }
        }
    }

    /// Largest scan for text.
    package var scan: Scan
    /// Number of lines that were read.
    package var linesRead: Int

    /// Creates the work of a frame, none by default.
    package init(scan: Scan = .none, linesRead: Int = 0) {
        self.scan = scan
        self.linesRead = linesRead
    }

    /// Adds the work of another part of the frame.
    package mutating func add(_ other: TrackingWork) {
        self.scan = max(self.scan, other.scan)
        self.linesRead += other.linesRead
    }
}
