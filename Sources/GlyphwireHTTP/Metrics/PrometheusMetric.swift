internal import CoreMetrics
internal import NIOConcurrencyHelpers
internal import Synchronization

/// Metric that writes its samples in the Prometheus text format.
protocol PrometheusMetric: AnyObject, Sendable {
    /// Kind of the metric.
    var kind: PrometheusText.Kind { get }
    /// Writes the current samples.
    func write(_ labels: [(String, String)], into samples: inout PrometheusText.Samples)
}

/// Counter of whole numbers.
final class PrometheusCounter: CounterHandler, PrometheusMetric {
    private let value = Atomic<Int64>(0)

    var kind: PrometheusText.Kind { .counter }

    func increment(by amount: Int64) { self.value.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { self.value.store(0, ordering: .relaxed) }

    func write(_ labels: [(String, String)], into samples: inout PrometheusText.Samples) {
        samples.add(Int(self.value.load(ordering: .relaxed)), labels)
    }
}

/// Counter of fractions, such as seconds.
final class PrometheusFloatingPointCounter: FloatingPointCounterHandler, PrometheusMetric {
    private let value = NIOLockedValueBox(0.0)

    var kind: PrometheusText.Kind { .counter }

    func increment(by amount: Double) {
        // A counter never decreases.
        guard amount > 0, amount.isFinite else { return }
        self.value.withLockedValue { $0 += amount }
    }

    func reset() { self.value.withLockedValue { $0 = 0 } }

    func write(_ labels: [(String, String)], into samples: inout PrometheusText.Samples) {
        // Rounding to millionths hides the error of the additions.
        samples.add((self.value.withLockedValue(\.self) * 1_000_000).rounded() / 1_000_000, labels)
    }
}

/// Gauge that holds the last recorded value.
final class PrometheusGauge: MeterHandler, RecorderHandler, PrometheusMetric {
    private let value = NIOLockedValueBox(0.0)

    var kind: PrometheusText.Kind { .gauge }

    func set(_ value: Int64) { self.set(Double(value)) }

    func set(_ value: Double) { self.value.withLockedValue { $0 = value } }

    func increment(by amount: Double) { self.value.withLockedValue { $0 += amount } }

    func decrement(by amount: Double) { self.increment(by: -amount) }

    func record(_ value: Int64) { self.set(value) }

    func record(_ value: Double) { self.set(value) }

    func write(_ labels: [(String, String)], into samples: inout PrometheusText.Samples) {
        let value = self.value.withLockedValue(\.self)
        if let whole = Int(exactly: value) { samples.add(whole, labels) } else { samples.add(value, labels) }
    }
}

/// Histogram of durations.
final class PrometheusHistogram: TimerHandler, RecorderHandler, PrometheusMetric {
    private let histogram = NIOLockedValueBox(DurationHistogram())

    var kind: PrometheusText.Kind { .histogram }

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
