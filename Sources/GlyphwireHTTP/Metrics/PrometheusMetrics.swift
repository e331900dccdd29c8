package import CoreMetrics
internal import GlyphwireServer
internal import NIOConcurrencyHelpers

/// Metrics factory that registers its metrics and writes them in the Prometheus text format.
///
/// Pass it to a ``GlyphwireServer`` and its ``HTTPService``, which serves the text at `/metrics`, or bootstrap
/// swift-metrics with it, to include other libraries' metrics.
package final class PrometheusMetrics: MetricsFactory {
    private struct Series: Sendable {
        let labels: [(String, String)]
        let metric: any PrometheusMetric

        func has(_ labels: [(String, String)]) -> Bool {
            self.labels.elementsEqual(labels) { $0 == $1 }
        }
    }

    private struct Family: Sendable {
        let name: String
        let help: String
        var formerName: String?
        var series: [Series] = []

        func write(_ samples: inout PrometheusText.Samples) {
            for series in self.series { series.metric.write(series.labels, into: &samples) }
        }
    }

    private let families: NIOLockedValueBox<[Family]>

    /// Creates a registry without metrics, for all families in the order of ``MetricFamily``.
    package init() {
        self.families = NIOLockedValueBox(
            MetricFamily.allCases.map { Family(name: $0.rawValue, help: $0.help, formerName: $0.formerName) }
        )
    }

    /// Writes the current values of all metrics.
    func write(into text: inout PrometheusText) {
        for family in self.families.withLockedValue(\.self) {
            guard let first = family.series.first else { continue }
            text.write(family.name, kind: first.metric.kind, help: family.help) { family.write(&$0) }
            if let name = family.formerName {
                text.write(name, kind: nil, help: "The former name of \(family.name).") { family.write(&$0) }
            }
        }
    }

    /// Creates a counter.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        self.metric(label, dimensions) { PrometheusCounter() }
    }

    /// Creates a counter of fractions.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        self.metric(label, dimensions) { PrometheusFloatingPointCounter() }
    }

    /// Creates a gauge.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        self.metric(label, dimensions) { PrometheusGauge() }
    }

    /// Creates a gauge, or a histogram of seconds for aggregated values.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return self.metric(label, dimensions) { PrometheusHistogram() } }
        return self.metric(label, dimensions) { PrometheusGauge() }
    }

    /// Creates a histogram.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        self.metric(label, dimensions) { PrometheusHistogram() }
    }

    /// Removes a counter.
    package func destroyCounter(_ handler: any CounterHandler) { self.remove(handler) }

    /// Removes a counter of fractions.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { self.remove(handler) }

    /// Removes a gauge.
    package func destroyMeter(_ handler: any MeterHandler) { self.remove(handler) }

    /// Removes a gauge or a histogram.
    package func destroyRecorder(_ handler: any RecorderHandler) { self.remove(handler) }

    /// Removes a histogram.
    package func destroyTimer(_ handler: any TimerHandler) { self.remove(handler) }

    /// Returns the metric with a name and labels, and creates it if there is none.
    ///
    /// All metrics of a name must be of one kind, so one of another kind is created but not registered.
    private func metric<Metric: PrometheusMetric>(
        _ label: String,
        _ labels: [(String, String)],
        make: () -> Metric
    ) -> Metric {
        let name = Self.name(label)
        return self.families.withLockedValue { families in
            let index = families.firstIndex { $0.name == name } ?? families.endIndex
            if index == families.endIndex { families.append(Family(name: name, help: label)) }
            if let first = families[index].series.first, !(first.metric is Metric) { return make() }
            if let known = families[index].series.first(where: { $0.has(labels) })?.metric as? Metric { return known }
            let metric = make()
            families[index].series.append(Series(labels: labels, metric: metric))
            return metric
        }
    }

    private func remove(_ handler: any AnyObject) {
        self.families.withLockedValue { families in
            for index in families.indices { families[index].series.removeAll { $0.metric === handler } }
        }
    }

    /// Name that is valid in Prometheus; swift-metrics does not restrict its labels.
    private static func name(_ label: String) -> String {
        String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == ":" ? $0 : "_" })
    }
}
