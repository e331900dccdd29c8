internal import ArgumentParser
internal import GlyphwireReplay

/// Options for reports of a run, and the conditions under which it counts as failed.
struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write a report: .json for programs and compare, .csv with a row per frame, .html with diagrams.",
            discussion: "May be given several times.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json", "csv", "html"]),
        transform: { text in
            guard let file = ReportFile(path: text) else {
                throw ValidationError("a report's name ends in .json, .csv or .html")
            }
            return file
        }
    )
    var report: [ReportFile] = []

    /// Default of `--deadline`, in milliseconds.
    static let usualDeadline = 500.0

    @Option(
        help: ArgumentHelp(
            "The deadline after the due time for a frame to count as in time. Default: 500, or the time of --find-limit.",
            valueName: "milliseconds"
        )
    )
    var deadline: Double?

    @Option(
        help: ArgumentHelp(
            "Exit with 99 if this condition holds, such as 'p99_ms>120' or 'dropped>1%'; percentages are of the offered frames.",
            discussion: """
                May be given several times. A metric that the run does not have, such as a p99 of 12 frames, counts as a \
                failure. Metrics:
                \(Metric.list)
                """,
            valueName: "condition"
        ),
        transform: { text in try LoadOptions.read { try FailureCondition(text) } }
    )
    var failIf: [FailureCondition] = []

    @Option(
        help: ArgumentHelp(
            "Compare words, boxes and characters with these lines, from an earlier --results.",
            valueName: "file"
        ),
        completion: .file(extensions: ["ndjson"])
    )
    var expect: String?

    @Option(
        help: ArgumentHelp(
            "Write the server's lines as they were received; each of several connections gets a numbered file.",
            discussion: "A file is written, and replaces an older one, when its connection ends.",
            valueName: "file"
        ),
        completion: .file()
    )
    var results: String?

    func validate() throws {
        if let deadline = self.deadline, !(0.001...1e6).contains(deadline) {
            throw ValidationError("--deadline takes 0.001 to 1000000 milliseconds.")
        }
        if self.report.count(where: { $0.kind == .csv }) > 1 { throw ValidationError("Use only one .csv file.") }
    }
}
