/// Phase of a server's life.
enum ServerPhase: Sendable {
    /// The server does not listen yet.
    case starting
    /// The server accepts connections.
    case listening
    /// The server shuts down, with a grace period until then.
    case draining(until: ContinuousClock.Instant)
}
