internal import GlyphwireServer
internal import Hummingbird

/// `/healthz` says that the process answers, `/readyz` that it should be sent streams.
///
/// Both are open to whoever can connect: those who watch over processes seldom have tokens.
struct HealthRoutes {
    let monitor: ServerMonitor

    func add(to router: some RouterMethods<BasicRequestContext>) {
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
