internal import NIOConcurrencyHelpers
internal import Synchronization

/// Those who look at a server's frames.
final class WatcherList: Sendable {
    private let watchers = NIOLockedValueBox<[any FrameWatcher]>([])
    private let hasWatchers = Atomic(false)

    /// Whether anybody looks; asked for each frame, so it takes no lock.
    var isEmpty: Bool { !self.hasWatchers.load(ordering: .relaxed) }

    /// Shows frames to `watcher` from now on.
    func add(_ watcher: any FrameWatcher) {
        self.watchers.withLockedValue { watchers in
            watchers.append(watcher)
            self.hasWatchers.store(true, ordering: .relaxed)
        }
    }

    /// Shows `watcher` no more frames, but for one that is being shown.
    func remove(_ watcher: any FrameWatcher) {
        self.watchers.withLockedValue { watchers in
            watchers.removeAll { $0 === watcher }
            self.hasWatchers.store(!watchers.isEmpty, ordering: .relaxed)
        }
    }

    /// Shows a frame to all of them.
    func show(_ frame: WatchedFrame) {
        for watcher in self.watchers.withLockedValue(\.self) { watcher.frameAnswered(frame) }
    }
}
