internal import GlyphwireServer
internal import Hummingbird
internal import Synchronization

/// `/metrics`: what was counted, for Prometheus.
struct MetricsRoutes {
    let monitor: ServerMonitor
    let access: AccessMiddleware<BasicRequestContext>
    let feed: LiveFeed

    func add(to router: some RouterMethods<BasicRequestContext>) {
        router.get("metrics") { _, _ in
            var page = MetricsPage()
            page.write(
                self.monitor.metrics,
                refusedRequests: self.access.refusals.load(ordering: .relaxed),
                livePages: self.feed.pageCount
            )
            page.write(ProcessFacts())
            return Response.text(page.text, contentType: MetricsPage.contentType)
        }
    }
}
