internal import GlyphwireServer

/// Metric that writes its samples in the Prometheus text format.
protocol PrometheusMetric: AnyObject, Sendable {
    /// Kind of the metric.
    var kind: MetricFamily.Kind { get }
    /// Writes the current samples.
    func write(_ labels: [(String, String)], into samples: inout PrometheusText.Samples)
}
