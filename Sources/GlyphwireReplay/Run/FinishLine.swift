internal import NIOConcurrencyHelpers

/// Barrier at which the streams of a run wait for each other.
///
/// A stream arrives when the frames that count have all been answered, and goes on sending until the others are there too.
/// Else the last frames of a run would meet a load that no others do: a frame that waits for a worker, and that a newer one
/// would take the place of, waits until all before it are read if no newer one comes.
final class FinishLine: Sendable {
    private let missing: NIOLockedValueBox<Set<Int>>
    private let passing = StopSignal()

    /// A barrier for a number of streams.
    init(streams: Int) {
        self.missing = NIOLockedValueBox(Set(0..<streams))
    }

    /// Whether all have arrived, or are not waited for.
    var isPassed: Bool { self.passing.isStopped }

    /// The stream of this number has nothing more to wait for.
    func arrived(_ stream: Int) {
        let isLast = self.missing.withLockedValue { $0.remove(stream) != nil && $0.isEmpty }
        if isLast { self.passing.stop() }
    }

    /// Opens the barrier, whatever stream is missing.
    func pass() { self.passing.stop() }

    /// Has `handler` called once all have arrived, at once if they have.
    func onPassed(_ handler: @escaping @Sendable () -> Void) { self.passing.onStop(handler) }
}
