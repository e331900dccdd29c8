internal import NIOConcurrencyHelpers
internal import Synchronization

/// Watchers of a server's frames.
final class WatcherList: Sendable {
    private let watchers = NIOLockedValueBox<[any FrameWatcher]>([])
    private let hasWatchers = Atomic(false)

    /// Whether there are no watchers; read for each frame without a lock.
    var isEmpty: Bool { !self.hasWatchers.load(ordering: .relaxed) }

    /// Adds a watcher of the next frames.
    func add(_ watcher: any FrameWatcher) {
        self.watchers.withLockedValue { watchers in
            watchers.append(watcher)
            self.hasWatchers.store(true, ordering: .relaxed)
        }
    }

    /// Removes a watcher; a frame that is being published may still reach it.
    func remove(_ watcher: any FrameWatcher) {
        self.watchers.withLockedValue { watchers in
            watchers.removeAll { $0 === watcher }
            self.hasWatchers.store(!watchers.isEmpty, ordering: .relaxed)
        }
    }

    /// Passes a frame to all watchers.
    func publish(_ frame: WatchedFrame) {
        for watcher in self.watchers.withLockedValue(\.self) { watcher.frameAnswered(frame) }
    }
}
