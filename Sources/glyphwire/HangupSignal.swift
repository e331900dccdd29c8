internal import UnixSignals

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// SIGHUP, at which a command reads its files again, and which ends one that has none.
enum HangupSignal {
    /// Whether the process was started so that it ignores the signal, as by `nohup`; asking makes it ignore the signal.
    private static let wasIgnored =
        unsafeBitCast(signal(SIGHUP, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)

    /// Ignores the signal until ``trap()`` or ``release()``: no file was read yet that would have to be read again.
    static func ignore() { _ = self.wasIgnored }

    /// Signals from now on.
    static func trap() async -> UnixSignalsSequence { await UnixSignalsSequence(trapping: .sighup) }

    /// Makes the signal end the process again, unless it was ignored before ``ignore()``.
    static func release() {
        if !self.wasIgnored { signal(SIGHUP, SIG_DFL) }
    }
}
