internal import CoreMetrics
internal import GlyphwireProtocol
public import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Live feed: publishes a server's frames to the open live pages, and watches the server only while there are any.
final class LiveFeed: FrameWatcher {
    /// The least time between two published frames of a stream; more would not be visible.
    private static let interval = Duration.milliseconds(100)

    fileprivate struct State: Sendable {
        var pages: [ObjectIdentifier: LivePage] = [:]
        var shown: [UInt64: ContinuousClock.Instant] = [:]
        /// Frames too soon after another of their stream, published later if none follows.
        var held: [UInt64: WatchedFrame] = [:]
        var isClosed = false
    }

    /// The monitor of the server.
    let monitor: ServerMonitor
    private let maxPages: Int
    private let state = NIOLockedValueBox(State())

    private let openPages: Meter?

    /// A feed without pages.
    ///
    /// - Parameters:
    ///   - monitor: The monitor of the server.
    ///   - maxPages: Pages that may be open at a time.
    ///   - openPages: Records how many are open.
    init(monitor: ServerMonitor, maxPages: Int, openPages: Meter? = nil) {
        self.monitor = monitor
        self.openPages = openPages
        self.maxPages = maxPages
    }

    /// Whether another page can be opened.
    var hasRoom: Bool { self.state.withLockedValue { !$0.isClosed && $0.pages.count < self.maxPages } }

    /// Adds a page, until ``remove(_:)``; `nil` beyond the limit, or if the server stops.
    func addPage() -> LivePage? {
        let page = LivePage()
        return self.state.withLockedValue { state in
            guard !state.isClosed, state.pages.count < self.maxPages else { return nil }
            if state.pages.isEmpty { self.monitor.add(self) }
            state.pages[ObjectIdentifier(page)] = page
            self.openPages?.set(state.pages.count)
            return page
        }
    }

    /// Removes a page.
    func remove(_ page: LivePage) {
        self.state.withLockedValue { state in
            state.pages[ObjectIdentifier(page)] = nil
            self.openPages?.set(state.pages.count)
            guard state.pages.isEmpty else { return }
            self.monitor.remove(self)
            (state.shown, state.held) = ([:], [:])
        }
    }

    /// Closes all pages, and accepts no more.
    func close() {
        let pages = self.state.withLockedValue { state in
            state.isClosed = true
            return state.pages
        }
        for page in pages.values { page.close() }
    }

    /// Closes all pages, which may reconnect.
    func closePages() {
        for page in self.state.withLockedValue(\.pages).values { page.close() }
    }

    /// Publishes the status of the streams to all pages, and the held frames.
    func showStreams() {
        self.state.withLockedValue { state in
            for page in state.pages.values { page.showStreams() }
            // Closed and idle streams need no entry.
            state.shown = state.shown.filter { $0.value + Self.interval > .now }
            for frame in state.held.values { state.show(frame, limits: self.monitor.limits) }
            state.held = [:]
        }
    }

    func frameAnswered(_ frame: WatchedFrame) {
        let now = ContinuousClock.now
        self.state.withLockedValue { state in
            if let last = state.shown[frame.stream], last + Self.interval > now {
                state.held[frame.stream] = frame
                return
            }
            state.shown[frame.stream] = now
            state.held[frame.stream] = nil
            state.show(frame, limits: self.monitor.limits)
        }
    }
}

extension MetricFamily {
    /// Live pages that are open.
    public static let livePages = MetricFamily("glyphwire_live_pages", "Live pages that are open.")
}

extension LiveFeed.State {
    /// Publishes a frame to all pages; under the lock, to keep the order.
    fileprivate func show(_ frame: WatchedFrame, limits: WireLimits) {
        guard !self.pages.isEmpty else { return }
        let shown = LiveFrame(frame, limits: limits)
        for page in self.pages.values { page.show(shown, of: frame.stream) }
    }
}
