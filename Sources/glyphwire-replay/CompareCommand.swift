internal import ArgumentParser
internal import GlyphwireReplay

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Show what changed between two reports, and whether it is more than noise.",
        discussion: """
            Both are JSON files that run --report has written. Noise is how far two runs of the same kind lie apart by \
            chance, 19 times in 20, judged by the number of frames and by how much each run's seconds differ among each \
            other. What differs between machines, or drifts from run to run, is not in it: repeat a comparison that matters.

            EXAMPLE
              glyphwire-replay compare before.json after.json

            EXIT STATUS
              0  nothing is worse, or --fail-if-worse was not given
              1  a file cannot be read
              99 something is worse by more than noise, and --fail-if-worse was given
            """
    )

    @Argument(help: "The report that is compared with.", completion: .file(extensions: ["json"]))
    var before: String

    @Argument(help: "The report that is compared.", completion: .file(extensions: ["json"]))
    var after: String

    @Flag(help: "End with 99 if something is worse by more than noise.")
    var failIfWorse = false

    func run() throws {
        let comparison = try ReportComparison(LoadReport(path: self.before), LoadReport(path: self.after))
        Console().output(comparison.text)
        if self.failIfWorse, comparison.pairs.contains(where: { $0.rows.contains(where: \.isWorse) }) {
            throw ExitCode(RunCommand.failedStatus)
        }
    }
}
