package import CoreMetrics

extension MetricsFactory {
    /// Creates a counter of `family`.
    package func counter(_ family: MetricFamily, _ labels: KeyValuePairs<String, String> = [:]) -> Counter {
        precondition(family.kind == .counter)
        return Counter(label: family.rawValue, dimensions: labels.map { ($0.key, $0.value) }, factory: self)
    }

    /// Creates a counter of fractions of `family`.
    package func fractionCounter(_ family: MetricFamily) -> FloatingPointCounter {
        precondition(family.kind == .counter)
        return FloatingPointCounter(label: family.rawValue, factory: self)
    }

    /// Creates a meter of `family`, which holds the last recorded value.
    package func meter(_ family: MetricFamily, _ labels: KeyValuePairs<String, String> = [:]) -> Meter {
        precondition(family.kind == .gauge)
        return Meter(label: family.rawValue, dimensions: labels.map { ($0.key, $0.value) }, factory: self)
    }

    /// Creates a timer of `family`.
    package func timer(_ family: MetricFamily, _ labels: KeyValuePairs<String, String> = [:]) -> CoreMetrics.Timer {
        precondition(family.kind == .histogram)
        return Timer(label: family.rawValue, dimensions: labels.map { ($0.key, $0.value) }, factory: self)
    }
}
