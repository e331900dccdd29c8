internal import ArgumentParser
internal import GlyphwireReplay

/// Arrival process of frames.
enum Arrivals: String, ExpressibleByArgument, CaseIterable {
    /// Evenly spaced arrivals.
    case even
    /// Independent random arrivals.
    case poisson
}

/// Options for the pace and duration of playback.
struct PaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Playback speed, as a multiple of the recorded one.", valueName: "factor"))
    var speed: Double?

    @Option(help: ArgumentHelp("Frames per second to send on each connection.", valueName: "frames"))
    var rate: Double?

    @Option(help: "The arrival process of --rate: even, or poisson (independent events).")
    var arrivals = Arrivals.even

    @Option(help: ArgumentHelp("The random seed; the same seed repeats the same run.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Closed loop: keep this many frames in flight on each connection, each sent when a result arrives.",
            valueName: "frames"
        )
    )
    var maxInFlight: Int?

    @Option(help: ArgumentHelp("Connections to play on, with their frames evenly staggered.", valueName: "count"))
    var connections = 1

    @Option(
        help: ArgumentHelp(
            "Times to play the session, 0 until Ctrl-C. Default: 1, or with --duration as often as needed.",
            valueName: "times"
        )
    )
    var loop: Int?

    @Option(help: ArgumentHelp("The duration of sending, warm-up included.", valueName: "seconds"))
    var duration: Double?

    @Option(
        help: ArgumentHelp(
            "Warm-up that is not measured. Default: 0, or a fifth of each of several runs.",
            valueName: "seconds"
        )
    )
    var warmup: Double?

    @Option(help: ArgumentHelp("Skip frames recorded before this time.", valueName: "seconds"))
    var start = 0.0

    @Option(help: ArgumentHelp("Skip frames recorded from this time on.", valueName: "seconds"))
    var until: Double?

    @Flag(help: "Load the whole session into memory first, so that the disk does not pace it.")
    var preload = false

    func validate() throws {
        let times: ClosedRange<Double> = 0...1e6
        if [self.speed != nil, self.rate != nil, self.maxInFlight != nil].count(where: \.self) > 1 {
            throw ValidationError("Use only one of --speed, --rate and --max-in-flight.")
        }
        if self.arrivals == .poisson, self.rate == nil {
            throw ValidationError("--arrivals poisson needs --rate, the frames a second on average.")
        }
        if let speed = self.speed, !(1e-3...1e6).contains(speed) {
            throw ValidationError("--speed takes a number from 0.001 to 1000000.")
        }
        if let rate = self.rate, !(1e-3...1e6).contains(rate) {
            throw ValidationError("--rate takes a number from 0.001 to 1000000.")
        }
        if let maxInFlight = self.maxInFlight, !(1...100_000).contains(maxInFlight) {
            throw ValidationError("--max-in-flight takes 1 to 100000.")
        }
        if !(1...10_000).contains(self.connections) { throw ValidationError("--connections takes 1 to 10000.") }
        if let loop = self.loop, loop < 0 {
            throw ValidationError("--loop takes a number of times, or 0 to repeat until Ctrl-C.")
        }
        if !times.contains(self.warmup ?? 0) || !times.contains(self.start) || !times.contains(self.until ?? 0) {
            throw ValidationError("--warmup, --start and --until take 0 to 1000000 seconds.")
        }
        if let until = self.until, until <= self.start { throw ValidationError("--until must be after --start.") }
        if let duration = self.duration, !(0.001...1e6).contains(duration) || duration <= self.warmup ?? 0 {
            throw ValidationError("--duration takes up to 1000000 seconds, and more than --warmup.")
        }
    }

    /// Applies the options to a configuration.
    func apply(to configuration: inout ReplayConfiguration) {
        configuration.window = SessionWindow(start: .seconds(self.start), until: self.until.map { .seconds($0) })
        switch (self.rate, self.arrivals) {
        case (nil, _): configuration.pace = .recorded(speed: self.speed ?? 1)
        case (let rate?, .even): configuration.pace = .rate(rate)
        case (let rate?, .poisson): configuration.pace = .poisson(rate: rate, seed: self.seed)
        }
        configuration.maxInFlight = self.maxInFlight
        configuration.connections = self.connections
        let loop = self.loop ?? (self.duration == nil ? 1 : 0)
        configuration.passes = loop == 0 ? nil : loop
        configuration.duration = self.duration.map { .seconds($0) }
        configuration.warmup = .seconds(self.warmup ?? 0)
        configuration.isPreloaded = self.preload
    }
}
