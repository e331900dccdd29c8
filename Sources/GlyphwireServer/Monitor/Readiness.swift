/// Whether a server should be sent streams; being busy does not count against it.
public enum Readiness: Sendable, Hashable {
    /// It does not listen yet, or its first self-test is not over.
    case starting
    /// It reads frames.
    case ready
    /// It finishes what it has accepted, and accepts no more.
    case draining
    /// It listens and cannot read, for the reason given.
    case failing(String)
}
