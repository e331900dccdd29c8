internal import CoreMetrics
internal import GlyphwireServer
internal import Synchronization

/// Counter of whole numbers.
final class PrometheusCounter: CounterHandler, PrometheusMetric {
    private let value = Atomic<Int64>(0)

    var kind: MetricFamily.Kind { .counter }

    func increment(by amount: Int64) { self.value.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { self.value.store(0, ordering: .relaxed) }

    func write(_ labels: [(String, String)], into samples: inout PrometheusText.Samples) {
        samples.add(Int(self.value.load(ordering: .relaxed)), labels)
    }
}
