internal import CoreMetrics
internal import GlyphwireServer
internal import NIOConcurrencyHelpers

/// Gauge that holds the last recorded value.
final class PrometheusGauge: MeterHandler, RecorderHandler, PrometheusMetric {
    private let value = NIOLockedValueBox(0.0)

    var kind: MetricFamily.Kind { .gauge }

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
