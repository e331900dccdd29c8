internal import GlyphwireProtocol
internal import TextModel
internal import Histogram

/// Statistics of frames by status, with the stage times of those that were read.
///
/// The histograms keep two significant digits, so a percentile is at most 0.8 % too high. They are allocated with the
/// first frame, so a connection without frames costs nothing.
struct FrameStatistics<Count: FixedWidthInteger & Codable & Sendable>: Sendable {
    private struct Stages {
        var queue, decode, detect, recognize, total: Histogram<Count>

        init() {
            // Times of up to a second have buckets from the start; longer ones make a histogram grow.
            var empty = Histogram<Count>(highestTrackableValue: 1_000_000, numberOfSignificantValueDigits: .two)
            empty.autoResize = true
            (self.queue, self.decode, self.detect, self.recognize, self.total) = (empty, empty, empty, empty, empty)
        }
    }

    /// Answered frames by status.
    private(set) var counts = FramesByStatus()
    private var stages: Stages?
    private var tracking = Stats.Tracking()

    /// Counts an answered frame.
    mutating func frameAnswered(_ status: FrameStatus, _ timings: FrameTimings, work: TrackingWork? = nil) {
        self.counts.add(status)
        if let work { self.tracking.add(work) }
        if status == .ok { self.record(timings) }
    }

    private mutating func record(_ timings: FrameTimings) {
        if self.stages == nil { self.stages = Stages() }
        self.stages?.queue.record(microseconds: timings.queue)
        self.stages?.decode.record(microseconds: timings.decode)
        self.stages?.detect.record(microseconds: timings.detect)
        self.stages?.recognize.record(microseconds: timings.recognize)
        self.stages?.total.record(microseconds: timings.total)
    }

    /// The statistics as a `stats` line reports them.
    var scope: Stats.Scope {
        var scope = Stats.Scope(frames: self.counts, tracking: self.tracking)
        if let stages = self.stages {
            scope.queue = stages.queue.summary
            scope.decode = stages.decode.summary
            scope.detect = stages.detect.summary
            scope.recognize = stages.recognize.summary
            scope.total = stages.total.summary
        }
        return scope
    }
}

extension Histogram {
    /// Longest recorded time, an hour, which bounds a histogram's size.
    private static var longest: UInt64 { 3_600_000_000 }

    fileprivate mutating func record(microseconds: Int) {
        self.record(Swift.min(UInt64(clamping: microseconds), Self.longest))
    }

    fileprivate var summary: Stats.Stage {
        Stats.Stage(
            count: Int(clamping: self.totalCount),
            p50: Int(clamping: self.valueAtPercentile(50)),
            p90: Int(clamping: self.valueAtPercentile(90)),
            p99: Int(clamping: self.valueAtPercentile(99)),
            max: Int(clamping: self.maxRecorded)
        )
    }
}
