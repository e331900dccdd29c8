internal import CoreMetrics
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird

/// Routes of `/metrics`: the metrics in the Prometheus text format.
struct MetricsRoutes {
    /// Time without a frame after which a connection is silent.
    private static let silence = Duration.seconds(60)

    private let metrics: PrometheusMetrics
    private let monitor: ServerMonitor
    private let silent: Meter

    /// Creates routes that write `metrics`, how many of the monitor's streams are silent, and whether the server is ready.
    init(metrics: PrometheusMetrics, monitor: ServerMonitor) {
        self.metrics = metrics
        self.monitor = monitor
        self.silent = metrics.meter(.silentConnections)
    }

    /// The route.
    var route: Route {
        Route(Endpoint(.get, "/metrics", summary: "metrics for Prometheus")) { _, _ in
            self.silent.set(self.silentCount)
            var text = PrometheusText()
            self.metrics.write(into: &text)
            self.writeReadiness(into: &text)
            ProcessFacts().write(into: &text)
            return .text(text.text, contentType: PrometheusText.contentType)
        }
    }

    /// Writes whether the server is ready, after the frames that wait: asking for it may add the frame of a self-test.
    private func writeReadiness(into text: inout PrometheusText) {
        let isReady = self.monitor.checkReadiness() == .ready
        text.write(.ready) { $0.add(isReady ? 1 : 0) }
    }

    /// Number of streams that have sent no frame for a while.
    private var silentCount: Int { self.monitor.streams.count { ($0.idle ?? $0.connected) >= Self.silence } }
}
