import Testing

@testable import GlyphwireReplay

@Suite struct LoadTests {
    @Test(arguments: [
        ("1:32:4", LoadAxis.connections, [1, 5, 9, 13, 17, 21, 25, 29, 32]), ("rate=5:15:5", .rate, [5, 10, 15]),
        ("3:3:1", .connections, [3]),
    ])
    func aRampGoesFromItsStartToItsEnd(text: String, axis: LoadAxis, values: [Int]) throws {
        let ramp = try LoadRamp(text)
        #expect(ramp.axis == axis)
        #expect(ramp.values == values)
    }

    @Test(arguments: ["", "1:2", "2:1:1", "0:4:1", "1:4:0", "fps=1:4:1", "1:4:1:1", "1:4:x", "1:99999:1", "a=b=1:2:1"])
    func invalidRampsAreReported(text: String) {
        #expect(throws: ReplayError(.badCondition, "")) { try LoadRamp(text) }
    }

    @Test func aRampLeavesOutNoLoad() throws {
        #expect(try LoadRamp("1:1000:1").values == Array(1...1000))
        #expect(throws: ReplayError(.badCondition, "")) { try LoadRamp("1:10000:1") }
    }

    @Test func aLimitIsAPercentileAndATime() throws {
        let limit = try LatencyLimit("p99.9=1.5s")
        #expect(limit.percentile == 99.9)
        #expect(limit.limit == .milliseconds(1500))
        for text in ["p99", "99=1s", "p100=1s", "p0=1s", "p99=1", "p99=-1ms", "p99=ms", "p99=nans", "p99=1s=2s"] {
            #expect(throws: ReplayError(.badCondition, "")) { try LatencyLimit(text) }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 7, 8, 11, 63, 64])
    func aSearchFindsTheGreatestLoadThatIsMet(answer: Int) {
        var search = LimitSearch(maxLoad: 64)
        var tried: [Int] = []
        while let load = search.next, tried.count < 30 {
            tried.append(load)
            search.tried(load, isMet: load <= answer)
        }
        #expect(search.met == answer)
        #expect(search.missed == (answer < 64 ? answer + 1 : nil))
        // Loads that meet the limit once, those that miss it twice.
        #expect(Set(tried).allSatisfy { load in tried.count { $0 == load } == (load <= answer ? 1 : 2) })
    }

    @Test func aLoadThatMissesOnceIsRepeated() {
        var search = LimitSearch(maxLoad: 8)
        var tried: [Int] = []
        while let load = search.next, tried.count < 30 {
            tried.append(load)
            search.tried(load, isMet: !(load == 2 && tried.count == 2))
        }
        #expect(tried == [1, 2, 2, 4, 8])
        #expect(search.met == 8)
    }

    private static func run(offered: Int, inTime: Int, dropped: Int = 0, unanswered: Int = 0) -> RunReport {
        var statistics = ReplayStatistics(deadline: .milliseconds(100))
        let due = ContinuousClock.now
        let frame = { (status: FrameStatus, milliseconds: Int) in
            FrameRecord(
                stream: 0,
                sequence: 0,
                recordedSequence: 0,
                status: status,
                dueAt: due,
                sentAt: due,
                endedAt: due + .milliseconds(milliseconds)
            )
        }
        for number in 0..<offered {
            statistics.frameSent(lateBy: .zero)
            let (rest, missed) = (number - dropped, FrameStatus("dropped", reason: "superseded"))
            let status = rest < 0 ? missed : rest < unanswered ? .unanswered : .ok
            statistics.frameEnded(frame(status, rest < unanswered + inTime ? 50 : 200))
        }
        let outcome = ReplayOutcome(statistics: statistics, elapsed: .seconds(1), streams: [])
        return RunReport(ReplayConfiguration(session: ""), outcome)
    }

    @Test func framesThatAreDroppedHaveNotMetALimit() throws {
        let limit = try LatencyLimit("p99=100ms")
        #expect(limit.isMet(by: Self.run(offered: 1000, inTime: 990)))
        #expect(!limit.isMet(by: Self.run(offered: 1000, inTime: 989)))
        #expect(!limit.isMet(by: Self.run(offered: 1000, inTime: 989, dropped: 11)))
        #expect(!limit.isMet(by: Self.run(offered: 0, inTime: 0)))
    }

    @Test(arguments: [
        ("dropped>1%", true), ("dropped > 20", false), ("dropped>=20", true), ("keep_up<97.5%", true),
        ("ok<980", false), ("p99_ms>120", true), ("p50_ms<=40", false), ("differing>0", true), ("errors>0", false),
        ("dropped>2%", false), ("dropped>=2%", true), ("keep_up<97%", false), ("keep_up<0.97", false),
        ("keep_up<0.98", true), ("keep_up>=0.97", true),
    ])
    func aConditionHoldsOrNot(text: String, holds: Bool) throws {
        // 20 of 1000 dropped, 970 in time; without an expectation, there is no metric of differences.
        let run = Self.run(offered: 1000, inTime: 970, dropped: 20)
        #expect((try FailureCondition(text).failure(of: run) != nil) == holds)
    }

    @Test(arguments: [
        "p99_ms>1e9", "p999_ms>1e9", "max_ms>1e9", "age_ms>1e9", "differing>0", "words_missing>0", "not_read>0",
        "overlap<0%", "centre_px>1e9",
    ])
    func aConditionWithoutDataFails(text: String) throws {
        // Too few frames for a p99, one that may have taken for ever, and a comparison with the wrong expectation.
        var run = Self.run(offered: 51, inTime: 50, unanswered: 1)
        let comparison = ResultComparison(Expectation())
        for sequence in 1...51 { comparison.frameMissed(UInt64(sequence)) }
        run.agreement = comparison.agreement
        #expect(try FailureCondition(text).failure(of: run)?.contains(": the run has no ") == true)
        #expect(try FailureCondition("p50_ms>1e9").failure(of: run) == nil)
        #expect(try FailureCondition("unknown>50").failure(of: run) != nil)
        #expect(run.agreement?.lines.first?.contains("nothing was compared") == true)
    }

    @Test func percentilesThatFramesWithoutAResultMayExceedAreUnknown() throws {
        let run = Self.run(offered: 1000, inTime: 980, unanswered: 20)
        #expect(try FailureCondition("p95_ms>120").failure(of: run) == nil)
        #expect(try FailureCondition("p99_ms>120").failure(of: run)?.contains("has no p99_ms") == true)
        #expect(run.text.contains("note: 20 of 1\u{202F}000 frames have no result"))
        #expect(Self.run(offered: 1000, inTime: 980, dropped: 20).caveats == [])
    }

    @Test func aMeanOfWhichAFrameIsMissingIsUnknown() throws {
        let run = Self.run(offered: 1000, inTime: 995, unanswered: 5)
        #expect(try FailureCondition("mean_ms>1e9").failure(of: run)?.contains("has no mean_ms") == true)
    }

    @Test func aPercentageIsTheShareThatItSays() throws {
        let run = Self.run(offered: 1000, inTime: 999, dropped: 1)
        #expect(try FailureCondition("keep_up<99.9%").failure(of: run) == nil)
        let worse = Self.run(offered: 1000, inTime: 993, dropped: 7)
        #expect(try FailureCondition("dropped>0.7%").failure(of: worse) == nil)
    }

    @Test func aRunWithoutAFrameHasNoShares() throws {
        let run = Self.run(offered: 0, inTime: 0)
        for text in ["dropped>1%", "keep_up<0%"] { #expect(try FailureCondition(text).failure(of: run) != nil) }
    }

    @Test(arguments: [
        "", "p99_ms", "p99_ms>", "p99_ms>x", "p99_ms>1%", "speed>1", ">1", "p99_ms=1", "keep_up<99", "overlap<2",
        "differing>1%",
    ])
    func invalidConditionsAreReported(text: String) {
        #expect(throws: ReplayError(.badCondition, "")) { try FailureCondition(text) }
    }
}
