internal import NIOConcurrencyHelpers

/// Barrier at which the streams of a run wait for each other.
///
/// A stream arrives when its measured frames have all been answered, and continues to send until the others have
/// arrived too. Otherwise the last frames of a run would see a different load: a waiting frame that would normally be
/// superseded waits until all before it are read if no newer one follows. One whose connection breaks arrives then.
final class FinishLine: Sendable {
    private let missing: NIOLockedValueBox<Set<Int>>
    private let passing = StopSignal()

    /// Creates a barrier for a number of streams.
    init(streams: Int) {
        self.missing = NIOLockedValueBox(Set(0..<streams))
    }

    /// Whether all streams have arrived, or are no longer waited for.
    var isPassed: Bool { self.passing.isStopped }

    /// Records the arrival of a stream.
    func arrived(_ stream: Int) {
        let isLast = self.missing.withLockedValue { $0.remove(stream) != nil && $0.isEmpty }
        if isLast { self.passing.stop() }
    }

    /// Opens the barrier, whichever streams are missing.
    func pass() { self.passing.stop() }

    /// Calls `handler` once all streams have arrived, or at once if they have.
    func onPassed(_ handler: @escaping @Sendable () -> Void) { self.passing.onStop(handler) }
}
