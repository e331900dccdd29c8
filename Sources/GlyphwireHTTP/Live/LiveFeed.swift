internal import CoreMetrics
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Feed of a server's frames to the open live pages; watches the server only while there are any.
final class LiveFeed: FrameWatcher {
    /// Minimum time between two published frames of a stream; more would not be visible.
    private static let interval = Duration.milliseconds(100)

    fileprivate struct State: Sendable {
        var pages: [ObjectIdentifier: LivePage] = [:]
        var shown: [UInt64: ContinuousClock.Instant] = [:]
        /// Frames that follow another of their stream too soon, published later unless superseded.
        var held: WaitingFrames<WatchedFrame>
        var isClosed = false
    }

    /// Monitor of the server.
    let monitor: ServerMonitor
    private let maxPages: Int
    /// Maximum number of bytes of frames that wait for one page.
    private let maxPageBytes: Int
    private let state: NIOLockedValueBox<State>
    private let openPages: Meter?

    /// Creates a feed without pages.
    ///
    /// - Parameters:
    ///   - monitor: The monitor of the server.
    ///   - maxPages: The maximum number of open pages.
    ///   - maxMemoryBytes: The maximum number of bytes of waiting frames of all pages.
    ///   - openPages: Records how many are open.
    init(monitor: ServerMonitor, maxPages: Int, maxMemoryBytes: Int, openPages: Meter? = nil) {
        self.monitor = monitor
        self.openPages = openPages
        self.maxPages = maxPages
        // The frames that are held for all pages take the share of one more.
        self.maxPageBytes = maxMemoryBytes / (maxPages + 1)
        self.state = NIOLockedValueBox(State(held: WaitingFrames(maxBytes: self.maxPageBytes)))
    }

    /// Whether another page can be opened.
    var hasRoom: Bool { self.state.withLockedValue { !$0.isClosed && $0.pages.count < self.maxPages } }

    /// Adds a page until ``remove(_:)``.
    ///
    /// - Parameter tokenChanges: The number of changes of the tokens before the page's token was checked.
    /// - Returns: The page; `nil` beyond the limit, or if the server is stopping.
    func addPage(tokenChanges: Int) -> LivePage? {
        let page = LivePage(tokenChanges: tokenChanges, maxBytes: self.maxPageBytes)
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
            state.shown = [:]
            state.held.removeAll()
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

    /// Closes the pages whose token was checked before the last of `tokenChanges`; those with a valid one reconnect.
    func closePages(checkedBefore tokenChanges: Int) {
        for page in self.state.withLockedValue(\.pages).values where page.tokenChanges < tokenChanges { page.close() }
    }

    /// Publishes the status of the streams to all pages, without waiting frames of closed ones, and the held frames.
    func showStreams() {
        guard self.state.withLockedValue({ !$0.pages.isEmpty }) else { return }
        let open = Set(self.monitor.streams.map(\.id))
        self.state.withLockedValue { state in
            for page in state.pages.values {
                page.dropFrames(except: open)
                page.showStreams()
            }
            // Closed and idle streams need no entry.
            state.shown = state.shown.filter { $0.value + Self.interval > .now }
            while let frame = state.held.popFirst() { state.show(frame, limits: self.monitor.limits) }
        }
    }

    func frameAnswered(_ frame: WatchedFrame) {
        let now = ContinuousClock.now
        self.state.withLockedValue { state in
            // One that was being published when the last page closed may come later.
            guard !state.pages.isEmpty else { return }
            if let last = state.shown[frame.stream], last + Self.interval > now {
                state.held.add(frame, byteCount: frame.byteCount, of: frame.stream)
                return
            }
            state.shown[frame.stream] = now
            state.held.remove(frame.stream)
            state.show(frame, limits: self.monitor.limits)
        }
    }
}

extension LiveFeed.State {
    /// Publishes a frame to all pages; under the lock, to keep the order.
    fileprivate func show(_ frame: WatchedFrame, limits: WireLimits) {
        let shown = LiveFrame(frame, limits: limits)
        for page in self.pages.values { page.show(shown, of: frame.stream) }
    }
}
