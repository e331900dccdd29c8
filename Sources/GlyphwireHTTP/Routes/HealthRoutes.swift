internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird

/// Routes of health checks: `/healthz` for liveness, `/readyz` for readiness.
///
/// Neither needs a token, since orchestrators seldom have one.
struct HealthRoutes {
    /// Path of readiness.
    static let readinessPath = "/readyz"

    let monitor: ServerMonitor

    /// Route of liveness.
    var liveness: Route {
        Route(Endpoint(.get, "/healthz", summary: "whether the process answers", access: .always)) { _, _ in
            .text("ok\n")
        }
    }

    /// Route of readiness.
    var readiness: Route {
        let summary = "whether streams should be sent to this server"
        return Route(Endpoint(.get, Self.readinessPath, summary: summary, access: .always)) { _, _ in
            switch self.monitor.checkReadiness() {
            case .ready: .text("ready\n")
            case .starting: .text("starting\n", status: .serviceUnavailable)
            case .draining: .text("draining\n", status: .serviceUnavailable)
            case .failing(let reason): .text("failing: \(reason)\n", status: .serviceUnavailable)
            }
        }
    }
}
