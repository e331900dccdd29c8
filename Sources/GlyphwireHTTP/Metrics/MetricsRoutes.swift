internal import CoreMetrics
public import GlyphwireServer
internal import Hummingbird

/// Routes of `/metrics`: the metrics in the Prometheus text format.
struct MetricsRoutes {
    /// Time without a frame after which a connection is silent.
    private static let silence = Duration.seconds(60)

    private let metrics: PrometheusMetrics
    private let monitor: ServerMonitor
    private let silent: Meter

    /// Creates routes that write `metrics`, and how many of the monitor's streams are silent.
    init(metrics: PrometheusMetrics, monitor: ServerMonitor) {
        self.metrics = metrics
        self.monitor = monitor
        self.silent = metrics.meter(.silentConnections)
    }

    func add(to router: some RouterMethods<HTTPRequestContext>) {
        router.get("metrics") { _, _ in
            self.silent.set(self.silentCount)
            var text = PrometheusText()
            self.metrics.write(into: &text)
            ProcessFacts().write(into: &text)
            return Response.text(text.text, contentType: PrometheusText.contentType)
        }
    }

    /// Number of streams that have sent no frame for a while.
    private var silentCount: Int { self.monitor.streams.count { ($0.idle ?? $0.connected) >= Self.silence } }
}

extension MetricFamily {
    /// Number of connections without a frame for a while.
    public static let silentConnections = MetricFamily(
        "glyphwire_connections_silent",
        "Open connections without a frame in the last minute."
    )
}
