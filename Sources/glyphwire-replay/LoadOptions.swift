internal import ArgumentParser
internal import GlyphwireReplay

/// Options for several runs in succession.
struct LoadOptions: ParsableArguments {
    /// Default duration of each of several runs, in seconds.
    static let usualDuration = 10.0

    @Option(
        help: ArgumentHelp(
            "One run for each load, connections or, with rate= in front, frames a second on each.",
            discussion: "Each takes --duration, or 10 seconds.",
            valueName: "start:end:step"
        ),
        transform: { text in try Self.read { try LoadRamp(text) } }
    )
    var ramp: LoadRamp?

    @Option(
        help: ArgumentHelp(
            "Search for the most connections that keep a latency limit, such as p99=100ms.",
            discussion: """
                Each run takes --duration, or 10 seconds. Frames that are dropped are not in time. A load that misses the \
                limit is tried once more.
                """,
            valueName: "limit"
        ),
        transform: { text in try Self.read { try LatencyLimit(text) } }
    )
    var findLimit: LatencyLimit?

    @Option(help: ArgumentHelp("Connections that --find-limit does not go beyond.", valueName: "count"))
    var atMost = 256

    func validate() throws {
        if self.ramp != nil, self.findLimit != nil { throw ValidationError("Use --ramp or --find-limit, not both.") }
        if !(1...10_000).contains(self.atMost) { throw ValidationError("--at-most takes 1 to 10000.") }
    }

    /// Plan of the runs.
    var plan: LoadTest.Plan {
        if let ramp = self.ramp { return .ramp(ramp) }
        if let limit = self.findLimit { return .limit(limit, maxConnections: self.atMost) }
        return .once
    }

    /// Reports an invalid value as a usage error.
    static func read<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ReplayError {
            throw ValidationError(error.message)
        }
    }
}
