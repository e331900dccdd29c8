internal import ArgumentParser
internal import GlyphwireReplay

/// Options for a part of a session.
struct SessionPart: ParsableArguments {
    @Option(help: ArgumentHelp("Skip frames recorded before this time.", valueName: "seconds"))
    var start = 0.0

    @Option(help: ArgumentHelp("Skip frames recorded from this time on.", valueName: "seconds"))
    var until: Double?

    @Option(
        help: ArgumentHelp("Take only these frames; the first has number 1.", valueName: "first-last"),
        transform: { text in
            let numbers = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
            guard (1...2).contains(numbers.count), let first = numbers.first, let last = numbers.last, first >= 1,
                last >= first, text.split(separator: "-", omittingEmptySubsequences: false).count == numbers.count
            else { throw ValidationError("--frames takes a number, or two such as 10-20") }
            return first...last
        }
    )
    var frames: ClosedRange<Int>?

    func validate() throws {
        let times: ClosedRange<Double> = 0...1e9
        guard times.contains(self.start), times.contains(self.until ?? 0) else {
            throw ValidationError("--start and --until take 0 or more seconds.")
        }
        if let until = self.until, until <= self.start { throw ValidationError("--until must be after --start.") }
    }

    var window: SessionWindow {
        SessionWindow(start: .seconds(self.start), until: self.until.map { .seconds($0) }, frames: self.frames)
    }
}
