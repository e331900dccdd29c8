internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers
internal import Synchronization

/// Meters of one server: counts of frames, bytes, connections and errors, and its state, from any thread.
final class ServerMeters: Sendable {
    /// Statistics of the frames of all connections.
    let statistics = NIOLockedValueBox(ServerStatistics())
    /// Bytes that clients sent.
    let receivedBytes = Atomic<Int>(0)
    /// Bytes of lines for clients.
    let sentBytes = Atomic<Int>(0)
    /// Connections that were accepted.
    let connections = Atomic<Int>(0)
    /// `error` lines by their code; they are rare.
    let errorLines = NIOLockedValueBox<[WireError.Code: Int]>([:])
    /// Times that tokens were replaced, or one has expired.
    let tokenChanges = Atomic<Int>(0)
    /// Whether the server listens.
    let isListening = Atomic(false)
    /// The end of the grace period of a shutdown; `nil` before a shutdown.
    let end = NIOLockedValueBox<ContinuousClock.Instant?>(nil)

    /// Whether the server takes no more connections.
    var isDraining: Bool { self.end.withLockedValue { $0 != nil } }

    /// A frame was answered.
    func frameAnswered(_ result: FrameResult) { self.statistics.withLockedValue { $0.frameAnswered(result) } }

    /// An `error` line was written.
    func errorSent(_ error: WireError) { self.errorLines.withLockedValue { $0[error.code, default: 0] += 1 } }
}
