internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers
internal import Synchronization

/// What a server counts besides frames, on any of its event loops.
final class ServerMeters: Sendable {
    /// Bytes that clients sent.
    let receivedBytes = Atomic<Int>(0)
    /// Bytes of lines for clients.
    let sentBytes = Atomic<Int>(0)
    /// Connections that were accepted.
    let connections = Atomic<Int>(0)
    /// `error` lines by their code; they are rare.
    let errorLines = NIOLockedValueBox<[WireError.Code: Int]>([:])
    /// How often tokens were replaced, or one has expired.
    let tokenChanges = Atomic<Int>(0)
    /// Whether connections can be made.
    let isListening = Atomic(false)
    /// When the grace has passed that began as the server was told to stop; `nil` until it is.
    let end = NIOLockedValueBox<ContinuousClock.Instant?>(nil)

    /// Whether the server takes no more connections.
    var isDraining: Bool { self.end.withLockedValue { $0 != nil } }

    /// Counts an `error` line.
    func count(_ error: WireError) { self.errorLines.withLockedValue { $0[error.code, default: 0] += 1 } }
}
