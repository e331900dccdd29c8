internal import CoreMetrics
internal import GlyphwireProtocol
public import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The frames of a server for the pages that are open; while none is, the server shows it nothing.
final class LiveFeed: FrameWatcher {
    /// Time between two frames of a stream that are shown: more would cost without being seen.
    private static let interval = Duration.milliseconds(100)

    fileprivate struct State: Sendable {
        var pages: [ObjectIdentifier: LivePage] = [:]
        var shown: [UInt64: ContinuousClock.Instant] = [:]
        /// Frames that came too soon after another of their stream, which may be its last.
        var held: [UInt64: WatchedFrame] = [:]
        var isClosed = false
    }

    /// What is shown.
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

    /// A page that was opened, to be given to ``remove(_:)``; `nil` if there are too many, or the server stops.
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

    /// Forgets a page.
    func remove(_ page: LivePage) {
        self.state.withLockedValue { state in
            state.pages[ObjectIdentifier(page)] = nil
            self.openPages?.set(state.pages.count)
            guard state.pages.isEmpty else { return }
            self.monitor.remove(self)
            (state.shown, state.held) = ([:], [:])
        }
    }

    /// Ends all pages, for good.
    func close() {
        let pages = self.state.withLockedValue { state in
            state.isClosed = true
            return state.pages
        }
        for page in pages.values { page.close() }
    }

    /// Ends all pages, which may be opened again.
    func closePages() {
        for page in self.state.withLockedValue(\.pages).values { page.close() }
    }

    /// Has all pages told who is connected, and shown the newest frames of streams that have not gone on since.
    func showStreams() {
        self.state.withLockedValue { state in
            for page in state.pages.values { page.showStreams() }
            // Streams that have gone are forgotten, with those that rest.
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
    /// Hands a frame to all pages; under the lock, so that none is overtaken by a later one.
    fileprivate func show(_ frame: WatchedFrame, limits: WireLimits) {
        guard !self.pages.isEmpty else { return }
        let shown = LiveFrame(frame, limits: limits)
        for page in self.pages.values { page.show(shown, of: frame.stream) }
    }
}
