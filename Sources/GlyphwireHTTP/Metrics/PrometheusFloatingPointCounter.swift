internal import CoreMetrics
internal import GlyphwireServer
internal import NIOConcurrencyHelpers

/// Counter of fractions, such as seconds.
final class PrometheusFloatingPointCounter: FloatingPointCounterHandler, PrometheusMetric {
    private let value = NIOLockedValueBox(0.0)

    var kind: MetricFamily.Kind { .counter }

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
