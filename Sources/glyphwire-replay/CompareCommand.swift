internal import ArgumentParser
internal import GlyphwireReplay

struct CompareCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two reports, and report whether the changes exceed noise.",
        discussion: """
            Both are JSON files that run --report has written. Noise is the difference of two equal runs by \
            chance: 19 times in 20, no figure of theirs differs by more. It is estimated from the number of frames and \
            the variation within each run, of three seconds or more. It excludes differences between machines and drift \
            from run to run: repeat an important comparison. A run that read nothing, or whose connections failed, is \
            worse than one that did not.

            EXAMPLE
              glyphwire-replay compare before.json after.json

            EXIT STATUS
              0  no figure is worse, or --fail-if-worse was not given
              1  a file cannot be read, or the comparison not written
              99 a figure is worse by more than noise, or a run is missing, and --fail-if-worse was given
            """
    )

    @Argument(help: "The baseline report.", completion: .file(extensions: ["json"]))
    var before: String

    @Argument(help: "The report to compare with the baseline.", completion: .file(extensions: ["json"]))
    var after: String

    @Flag(help: "Exit with 99 if a figure is worse by more than noise.")
    var failIfWorse = false

    func run(_ console: Console) throws {
        let comparison = try ReportComparison(LoadReport(path: self.before), LoadReport(path: self.after))
        console.output(comparison.text)
        if self.failIfWorse, comparison.isWorse { throw ExitCode(RunCommand.failedStatus) }
    }
}
