/// Isolation test that plays a session alone and beside faulty clients, and compares the results.
package struct FaultTest: Sendable {
    /// Result of a test.
    package struct Verdict: Sendable, Equatable {
        /// Effects on normal streams, each in a sentence; empty if there are none.
        package var harm: [String]
        /// Actions of the faulty clients, each in a sentence.
        package var faults: [String]
        /// Planned faults that did not happen, each in a sentence, so that the test does not show that they are harmless.
        package var missing: [String]

        /// Whether every planned fault happened, and none had an effect on normal streams.
        package var isPassed: Bool { self.harm.isEmpty && self.missing.isEmpty }
    }

    private let plan: FaultPlan
    private let test: LoadTest

    /// Creates a test; the configuration's streams are played twice.
    package init(_ plan: FaultPlan, _ test: LoadTest) {
        self.plan = plan
        self.test = test
    }

    /// Runs the test.
    ///
    /// - Parameters:
    ///   - report: The report, to which the runs without and with faults are added.
    ///   - stop: Ends the current run early.
    /// - Returns: The verdict; `nil` if the test was stopped before the second run.
    /// - Throws: What ``Replay/run(until:)`` throws.
    package func run(into report: inout LoadReport, until stop: StopSignal) async throws -> Verdict? {
        let configuration = self.test.configuration
        self.test.onRun?("without faults")
        let alone = try await self.play(check: .learn, until: stop)
        let before = report.add(configuration, alone)
        guard !stop.isStopped else { return nil }
        let session = WindowedReader(try SessionReader(path: configuration.session), window: configuration.window)
        let runner = FaultRunner(
            plan: self.plan,
            configuration: configuration,
            batch: try await SessionFeed.preload(session),
            tally: FaultTally()
        )
        self.test.onRun?("beside faulty clients")
        let faults = Task { await runner.run() }
        defer { faults.cancel() }
        let beside = try await self.play(check: alone.learned.map { .expect($0) } ?? .none, until: stop)
        faults.cancel()
        await faults.value
        let after = report.add(configuration, beside)
        let counts = runner.tally.counts
        let verdict = Verdict(
            harm: Self.harm(before: before, after: after),
            faults: counts.lines(self.plan),
            missing: counts.missing(self.plan)
        )
        report.finding = Self.finding(verdict, before: before, after: after)
        return verdict
    }

    private func play(check: Replay.Check, until stop: StopSignal) async throws -> ReplayOutcome {
        let test = self.test
        return try await Replay(test.configuration, check: check, onLine: test.onLine, onProgress: test.onProgress)
            .run(until: stop)
    }

    /// Effects on normal streams beyond the higher latency that additional load always causes.
    static func harm(before: RunReport, after: RunReport) -> [String] {
        var harm = after.failures
        if let different = after.agreement?.framesDifferent, different > 0 {
            harm.append("\(different.counted("frame")) read differently: \(after.agreement?.examples.first ?? "")")
        }
        let kinds: [(FrameStatus, String)] = [
            (.lost, "lost"), (.unanswered, "not answered"), (FrameStatus("error"), "answered with an error"),
        ]
        for (kind, name) in kinds {
            let more = after.frames.count(of: kind.status) - before.frames.count(of: kind.status)
            if more > 0 { harm.append("\(more.counted("more frame")) \(name)") }
        }
        if before.frames.ok == 0 {
            harm.append("no frame was read even without faulty clients, so the test shows nothing")
        } else if after.frames.ok == 0 {
            harm.append("no frame was read")
        }
        return harm
    }

    private static func finding(_ verdict: Verdict, before: RunReport, after: RunReport) -> String {
        let cost = Self.cost(before: before, after: after)
        let faults = verdict.faults.isEmpty ? "" : "Faults: \(verdict.faults.joined(separator: "; ")). "
        guard verdict.harm.isEmpty else {
            return faults + "Good streams were harmed: \(verdict.harm.joined(separator: "; ")). \(cost)"
        }
        guard verdict.missing.isEmpty else {
            return faults + "Good streams were unharmed, but the test shows nothing of all faults: "
                + "\(verdict.missing.joined(separator: "; ")). Run longer. \(cost)"
        }
        return faults + "Good streams were unharmed: they read the same, lost nothing and had no further error. \(cost)"
    }

    /// Change of the share of frames in time and, where both runs have one, of the p99.
    static func cost(before: RunReport, after: RunReport) -> String {
        let inTime =
            "Frames read in time went from \(Decimals.percent(before.keepUp)) to \(Decimals.percent(after.keepUp))"
        let latencies = [before, after].compactMap { $0.latency.sinceDue.milliseconds(at: 99) }
        guard latencies.count == 2 else { return inTime + "." }
        return inTime + ", p99 from \(Decimals.short(latencies[0])) to \(Decimals.short(latencies[1])) ms."
    }
}
