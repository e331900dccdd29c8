internal import GlyphwireServer
internal import Hummingbird

/// Routes of health checks: `/healthz` for liveness, `/readyz` for readiness.
///
/// Neither needs a token, since orchestrators seldom have one.
struct HealthRoutes {
    let monitor: ServerMonitor

    func add(to router: some RouterMethods<HTTPRequestContext>) {
        router.get("healthz") { _, _ in Response.text("ok\n") }
        router.get("readyz") { _, _ in
            switch self.monitor.readiness {
            case .ready: Response.text("ready\n")
            case .starting: Response.text("starting\n", status: .serviceUnavailable)
            case .draining: Response.text("draining\n", status: .serviceUnavailable)
            case .failing(let reason): Response.text("failing: \(reason)\n", status: .serviceUnavailable)
            }
        }
    }
}
