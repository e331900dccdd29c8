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

    private static func run(offered: Int, inTime: Int, dropped: Int = 0) -> RunReport {
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
            let status = number < dropped ? FrameStatus("dropped", reason: "superseded") : .ok
            statistics.frameEnded(frame(status, number < dropped + inTime ? 50 : 200))
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
    ])
    func aConditionHoldsOrNot(text: String, holds: Bool) throws {
        // 20 of 1000 dropped, 970 in time; without an expectation, there is no metric of differences.
        let run = Self.run(offered: 1000, inTime: 970, dropped: 20)
        #expect((try FailureCondition(text).failure(of: run) != nil) == holds)
    }

    @Test(arguments: ["", "p99_ms", "p99_ms>", "p99_ms>x", "p99_ms>1%", "speed>1", ">1", "p99_ms=1"])
    func invalidConditionsAreReported(text: String) {
        #expect(throws: ReplayError(.badCondition, "")) { try FailureCondition(text) }
    }
}
