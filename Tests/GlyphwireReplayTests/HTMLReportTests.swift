import GlyphwireProtocol
import Testing

@testable import GlyphwireReplay

@Suite struct HTMLReportTests {
    /// A run of `seconds` with ten frames in each, of a given latency in milliseconds.
    static func run(seconds: Int = 20, milliseconds: (Int) -> Int = { 20 + $0 % 7 }) -> ReplayOutcome {
        var total = ReplayStatistics()
        var timeline: [TimelineEntry] = []
        let due = ContinuousClock.now
        for second in 0..<seconds {
            var recent = ReplayStatistics()
            for frame in 0..<10 {
                let isDropped = second == 3 && frame == 0
                let record = FrameRecord(
                    stream: 0,
                    sequence: 0,
                    recordedSequence: 0,
                    status: isDropped ? FrameStatus("dropped", reason: "<superseded>") : .ok,
                    dueAt: due,
                    sentAt: due,
                    endedAt: due + .milliseconds(milliseconds(second * 10 + frame)),
                    timings: FrameTimings(queue: 1000, decode: 2000, detect: 8000, recognize: 4000, total: 16_000)
                )
                total.frameSent(lateBy: .zero)
                total.frameEnded(record)
                recent.frameSent(lateBy: .zero)
                recent.frameEnded(record)
            }
            timeline.append(
                TimelineEntry(
                    seconds: Double(second + 1),
                    length: 1,
                    isWarmUp: false,
                    figures: recent,
                    age: .milliseconds(30)
                )
            )
        }
        return ReplayOutcome(statistics: total, timeline: timeline, elapsed: .seconds(seconds), streams: [])
    }

    static func report(_ outcomes: ReplayOutcome...) -> LoadReport {
        var report = LoadReport(
            session: "a&b.gws",
            address: "localhost:7411",
            startedAt: 1_763_704_800,
            arguments: ["run", "a&b.gws"]
        )
        for outcome in outcomes { report.add(ReplayConfiguration(session: "a&b.gws"), outcome) }
        return report
    }

    /// Whether the page has something other than a number in place of one.
    private static func hasNoNumber(_ page: String) -> Bool {
        page.contains(/[\s">ML-](nan|inf)[\s"<L]/)
    }

    @Test func aPageHasEveryDiagramAndNeedsNothingElse() {
        let page = HTMLReport(Self.report(Self.run())).text
        let titles = [
            "Latency by percentile", "Latency over time", "Throughput", "Where the time went",
            "Frames that were not read",
        ]
        for title in titles { #expect(page.contains("<h3>\(title)</h3>")) }
        #expect(page.split(separator: "<svg ").count == 6)
        for word in ["http:", "https:", "src=", "url(", "<script", "@import", "<link"] { #expect(!page.contains(word)) }
        #expect(page.contains("a&amp;b.gws") && !page.contains("a&b.gws"))
        #expect(page.contains("dropped (&lt;superseded&gt;)") && !page.contains("<superseded>"))
        #expect(page.contains("2025-11-21 06:00:00 UTC"))
        #expect(!Self.hasNoNumber(page))
    }

    @Test func severalRunsAreHeldAgainstEachOther() {
        let page = HTMLReport(Self.report(Self.run(), Self.run(seconds: 5))).text
        #expect(page.contains("<h3>Throughput by load</h3>"))
        #expect(page.split(separator: "<details>").count == 3)
        #expect(page.split(separator: "<svg ").count == 13)
    }

    @Test func aRunWithoutAnyFrameHasAPageToo() {
        let nothing = ReplayOutcome(statistics: ReplayStatistics(), elapsed: .zero, streams: [])
        let page = HTMLReport(Self.report(nothing)).text
        #expect(page.split(separator: "<svg ").count == 6)
        #expect(!Self.hasNoNumber(page))
    }

    @Test func aLongRunIsDrawnInFewBarsThatLeaveNothingOut() {
        let run = RunReport(ReplayConfiguration(session: ""), Self.run(seconds: 40))
        let merged = run.timeline.merged(to: 30)
        #expect(merged.count <= 30)
        #expect(merged.reduce(0) { $0 + $1.sent } == 400)
        #expect(merged.reduce(0) { $0 + $1.ok } == 399)
        #expect(merged.reduce(0) { $0 + $1.length } == 40)
        #expect(merged.compactMap(\.maxMs).max() == run.timeline.compactMap(\.maxMs).max())
    }

    @Test func aReportIsReadBackFromItsJSON() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("report.json")
        let report = Self.report(Self.run())
        try #require(ReportFile(path: path)).write(report, apartFrom: [])
        let read = try LoadReport(path: path)
        #expect(try read.json() == report.json())
        #expect(try TemporaryFolder.text(of: path).contains("\"p99_ms\""))
        #expect(throws: ReplayError(.unreadable, "")) { try LoadReport(path: try folder.file("x.json", [1, 2])) }
    }

    @Test func twoRunsOfOneKindDoNotDifferAndASlowerOneDoes() throws {
        let report = Self.report(Self.run())
        let same = try ReportComparison(report, Self.report(Self.run(milliseconds: { 20 + ($0 + 3) % 7 })))
        #expect(same.pairs.map { $0.rows.filter(\.isChange).map(\.name) } == [[]])
        let slower = try ReportComparison(report, Self.report(Self.run(milliseconds: { 32 + $0 % 7 })))
        let changed = slower.pairs.flatMap(\.rows).filter(\.isWorse).map(\.name)
        #expect(changed.starts(with: ["since due p50 ms", "since due p99 ms"]))
        #expect(!changed.contains("detect p50 ms"))
        let faster = try ReportComparison(Self.report(Self.run(milliseconds: { 32 + $0 % 7 })), report)
        #expect(faster.pairs.flatMap(\.rows).first?.verdict == "better")
    }

    @Test func runsOfTwoSecondsAreTooShortForTheirThroughput() throws {
        let run = Self.run(seconds: 2)
        var longer = run
        longer.elapsed = .milliseconds(2004)
        let comparison = try ReportComparison(Self.report(run), Self.report(longer))
        #expect(comparison.pairs.flatMap(\.rows).first { $0.name == "frames/s read" }?.verdict == "too short")
        #expect(!comparison.isWorse)
    }

    @Test func theLastFrameOfARunIsNoise() throws {
        let run = Self.run(seconds: 3)
        var longer = run
        longer.elapsed += .milliseconds(40)
        #expect(try !ReportComparison(Self.report(run), Self.report(longer)).isWorse)
    }

    @Test func aRunThatReadsNothingIsWorse() throws {
        var statistics = ReplayStatistics()
        let now = ContinuousClock.now
        let dropped = FrameRecord(
            stream: 0,
            sequence: 0,
            recordedSequence: 0,
            status: FrameStatus("dropped"),
            dueAt: now,
            endedAt: now
        )
        for _ in 0..<100 { statistics.frameEnded(dropped) }
        let nothing = Self.report(ReplayOutcome(statistics: statistics, elapsed: .seconds(10), streams: []))
        let comparison = try ReportComparison(Self.report(Self.run()), nothing)
        let verdicts = comparison.pairs.flatMap(\.rows).filter { $0.name.hasSuffix(" ms") }.map(\.verdict)
        #expect(Set(verdicts) == ["worse"])
        #expect(!comparison.text.contains("better"))
        #expect(try ReportComparison(nothing, nothing).pairs.flatMap(\.rows).first?.verdict == "no data")
    }

    @Test func latenciesThatFramesWithoutAResultLeaveUnknownAreWorse() throws {
        var outcome = Self.run(milliseconds: { 5 + $0 % 7 })
        let now = ContinuousClock.now
        let unanswered = FrameRecord(
            stream: 0,
            sequence: 0,
            recordedSequence: 0,
            status: .unanswered,
            dueAt: now,
            endedAt: now
        )
        for _ in 0..<300 { outcome.statistics.frameEnded(unanswered) }
        let comparison = try ReportComparison(Self.report(Self.run()), Self.report(outcome))
        let verdicts = comparison.pairs.flatMap(\.rows).filter { $0.name.hasSuffix(" ms") }.map(\.verdict)
        #expect(Set(verdicts) == ["worse"])
    }

    @Test func aRunThatLosesItsConnectionIsWorse() throws {
        let run = Self.run()
        var broken = run
        broken.failures = ["connection 1 of 1: gone"]
        let comparison = try ReportComparison(Self.report(run), Self.report(broken))
        #expect(comparison.isWorse)
        #expect(comparison.text.contains("note: 1 failures in the second report, the first: connection 1 of 1: gone"))
        #expect(try !ReportComparison(Self.report(broken), Self.report(run)).isWorse)
    }

    @Test func aReportThatLacksRunsIsWorse() throws {
        let run = Self.run()
        #expect(try ReportComparison(Self.report(run, run), Self.report(run)).isWorse)
        #expect(try !ReportComparison(Self.report(run), Self.report(run, run)).isWorse)
        var search = Self.report(run, run)
        search.finding = "1 connection meets it"
        #expect(try !ReportComparison(search, Self.report(run)).isWorse)
    }
}
