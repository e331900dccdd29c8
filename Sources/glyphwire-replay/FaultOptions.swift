internal import ArgumentParser
internal import GlyphwireReplay

/// Options for faulty clients beside the normal ones.
struct FaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Connections that send frames and read results very slowly.", valueName: "count")
    )
    var slowReader = 0

    @Option(
        help: ArgumentHelp("Reset ten connections a second after this many bytes of the session.", valueName: "bytes")
    )
    var cutAfter: Int?

    @Option(help: ArgumentHelp("Connections per second that are opened and closed at once.", valueName: "count"))
    var reconnectStorm = 0

    @Option(
        help: ArgumentHelp(
            "One connection sends frames, this share of them with damaged payloads.",
            valueName: "percent"
        ),
        transform: { text in
            let number = text.hasSuffix("%") ? text.dropLast() : Substring(text)
            guard let percent = Double(number), percent > 0, percent <= 100 else {
                throw ValidationError("--corrupt takes a percentage above 0, such as 1%")
            }
            return percent
        }
    )
    var corrupt: Double?

    func validate() throws {
        guard (0...10_000).contains(self.slowReader), (0...10_000).contains(self.reconnectStorm) else {
            throw ValidationError("--slow-reader and --reconnect-storm take 0 to 10000.")
        }
        if let cutAfter = self.cutAfter, !(0...1 << 30).contains(cutAfter) {
            throw ValidationError("--cut-after takes 0 to \(1 << 30) bytes.")
        }
    }

    /// Plan of the requested faults.
    func plan(seed: UInt64) -> FaultPlan {
        var plan = FaultPlan()
        plan.slowReaders = self.slowReader
        plan.cutAfter = self.cutAfter
        plan.reconnects = self.reconnectStorm
        plan.corrupt = (self.corrupt ?? 0) / 100
        plan.seed = seed
        return plan
    }
}
