internal import UnixSignals

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Signals that stop a command: SIGTERM and SIGINT.
enum StopSignals {
    /// Signals from now on.
    static func trap() async -> UnixSignalsSequence { await UnixSignalsSequence(trapping: .sigterm, .sigint) }

    /// Calls `stop` at the first of trapped signals, and ends the process at the second.
    static func handle(_ signals: UnixSignalsSequence, _ stop: () async -> Void) async {
        var isStopping = false
        for await signal in signals {
            // The status that shells report for a program ended by a signal.
            if isStopping { _exit(128 + signal.rawValue) }
            isStopping = true
            await stop()
        }
    }
}
