internal import ArgumentParser
internal import GlyphwireReplay
internal import UnixSignals

extension StopSignal {
    /// Runs `body` with a signal that the first SIGINT or SIGTERM gives; the second ends the process.
    static func givenBySignals<Value>(
        _ console: Console,
        notice: String = "waiting for outstanding results; press Ctrl-C again to stop at once",
        _ body: (StopSignal) async throws -> Value
    ) async throws -> Value {
        let stop = StopSignal()
        // Trapped before the work begins, so that none of it is lost.
        let trapped = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let signals = Task {
            for await signal in trapped {
                // The status that shells report for a program ended by a signal.
                if stop.isStopped { GlyphwireReplayCommand.exit(withError: ExitCode(128 + signal.rawValue)) }
                console.notice(notice)
                stop.stop()
            }
        }
        defer { signals.cancel() }
        return try await body(stop)
    }
}
