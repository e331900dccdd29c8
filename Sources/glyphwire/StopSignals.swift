internal import UnixSignals

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Signals that stop a command: SIGTERM and SIGINT.
enum StopSignals {
    /// Calls `stop` at the first signal, and ends the process at the second.
    static func handle(_ stop: () async -> Void) async {
        var isStopping = false
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            // The status that shells report for a program ended by a signal.
            if isStopping { _exit(128 + signal.rawValue) }
            isStopping = true
            await stop()
        }
    }
}
