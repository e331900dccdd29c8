internal import CoreMetrics
internal import GlyphwireServer
internal import NIOConcurrencyHelpers

/// Histogram of durations.
final class PrometheusHistogram: TimerHandler, RecorderHandler, PrometheusMetric {
    private let histogram = NIOLockedValueBox(DurationHistogram())

    var kind: MetricFamily.Kind { .histogram }

    func recordNanoseconds(_ duration: Int64) { self.record(microseconds: Int(duration / 1000)) }

    /// Records seconds.
    func record(_ value: Int64) { self.record(Double(value)) }

    /// Records seconds.
    func record(_ value: Double) { self.record(microseconds: Int(exactly: (value * 1_000_000).rounded()) ?? .max) }

    private func record(microseconds: Int) {
        self.histogram.withLockedValue { $0.record(microseconds: microseconds) }
    }

    func write(_ labels: [(String, String)], into samples: inout PrometheusText.Samples) {
        let histogram = self.histogram.withLockedValue(\.self)
        var count = 0
        for (bound, inBucket) in zip(DurationHistogram.bounds, histogram.counts) {
            count += inBucket
            samples.add(count, labels + [("le", "\(Double(bound) / 1_000_000)")], suffix: "_bucket")
        }
        samples.add(histogram.count, labels + [("le", "+Inf")], suffix: "_bucket")
        samples.add(Double(histogram.sum) / 1_000_000, labels, suffix: "_sum")
        samples.add(histogram.count, labels, suffix: "_count")
    }
}
