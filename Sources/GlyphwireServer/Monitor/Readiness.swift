/// Readiness of a server to accept streams; a busy server is still ready.
package enum Readiness: Sendable, Hashable {
    /// The server does not listen yet, or its first self-test is not finished.
    case starting
    /// The server reads frames.
    case ready
    /// The server finishes what it has accepted, and accepts no more.
    case draining
    /// The server listens but cannot read frames, with the reason.
    case failing(String)
}
