internal import Hummingbird

/// Routes of `/metrics`: the metrics in the Prometheus text format.
struct MetricsRoutes {
    private let metrics: PrometheusMetrics

    /// Creates routes that write `metrics`.
    init(metrics: PrometheusMetrics) { self.metrics = metrics }

    func add(to router: some RouterMethods<BasicRequestContext>) {
        router.get("metrics") { _, _ in
            var text = PrometheusText()
            self.metrics.write(into: &text)
            ProcessFacts().write(into: &text)
            return Response.text(text.text, contentType: PrometheusText.contentType)
        }
    }
}
