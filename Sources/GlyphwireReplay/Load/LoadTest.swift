package import GlyphwireProtocol
internal import TextModel

/// One run of a session, or several under loads that a plan names.
package struct LoadTest: Sendable {
    /// Which loads are tried.
    package enum Plan: Sendable {
        /// What the configuration says.
        case once
        /// One after the other.
        case ramp(LoadRamp)
        /// A search for the most connections that meet the limit.
        case limit(LatencyLimit, most: Int)
    }

    /// What every run has in common.
    package var configuration: ReplayConfiguration
    /// Which loads are tried.
    package var plan: Plan
    /// What results are held against.
    package var check: Replay.Check
    /// Called with every line of the first connection.
    package var onLine: (@Sendable (ServerLine) -> Void)?
    /// Called every second.
    package var onProgress: (@Sendable (Replay.Progress) -> Void)?
    /// Called before each of several runs, with its load in words.
    package var onRun: (@Sendable (String) -> Void)?

    /// A test.
    package init(
        _ configuration: ReplayConfiguration,
        plan: Plan = .once,
        check: Replay.Check = .none,
        onLine: (@Sendable (ServerLine) -> Void)? = nil,
        onProgress: (@Sendable (Replay.Progress) -> Void)? = nil,
        onRun: (@Sendable (String) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.plan = plan
        self.check = check
        self.onLine = onLine
        self.onProgress = onProgress
        self.onRun = onRun
    }

    /// Makes the runs and adds them to a report.
    ///
    /// - Parameters:
    ///   - report: Where the runs go; those that were made are there if a later one throws.
    ///   - stop: Ends the run that is being made early, and makes no further one.
    /// - Throws: What ``Replay/run(until:)`` throws.
    package func run(into report: inout LoadReport, until stop: StopSignal) async throws {
        switch self.plan {
        case .once:
            _ = try await self.run(self.configuration, into: &report, until: stop)
        case .ramp(let ramp):
            for value in ramp.values where !stop.isStopped {
                _ = try await self.run(ramp.axis, value, into: &report, until: stop)
            }
        case .limit(let limit, let most):
            try await self.search(limit, most: most, into: &report, until: stop)
        }
    }

    private func search(
        _ limit: LatencyLimit,
        most: Int,
        into report: inout LoadReport,
        until stop: StopSignal
    ) async throws {
        var test = self
        test.configuration.deadline = limit.limit
        var search = LimitSearch(most: most)
        while !stop.isStopped, let value = search.next {
            let run = try await test.run(.connections, value, into: &report, until: stop)
            if !stop.isStopped { search.tried(value, isMet: limit.isMet(by: run)) }
        }
        report.finding = search.finding(limit, each: self.configuration.paceDescription)
    }

    private func run(
        _ axis: LoadAxis,
        _ value: Int,
        into report: inout LoadReport,
        until stop: StopSignal
    ) async throws -> RunReport {
        self.onRun?(axis.text(value))
        var configuration = axis.applied(value, to: self.configuration)
        configuration.results = configuration.results.map { NumberedPath.path($0, number: value) }
        configuration.frameLog = configuration.frameLog.map { NumberedPath.path($0, number: value) }
        return try await self.run(configuration, into: &report, until: stop)
    }

    private func run(
        _ configuration: ReplayConfiguration,
        into report: inout LoadReport,
        until stop: StopSignal
    ) async throws -> RunReport {
        let replay = Replay(configuration, check: self.check, onLine: self.onLine, onProgress: self.onProgress)
        return report.add(configuration, try await replay.run(until: stop))
    }
}

extension LimitSearch {
    /// What was found, in a sentence.
    fileprivate func finding(_ limit: LatencyLimit, each pace: String) -> String {
        let cameras = self.met == 1 ? "1 connection" : "\(self.met) connections"
        guard let missed = self.missed else {
            return "At least \(cameras) (\(pace)) meet \(limit.text); more were not tried."
        }
        guard self.met > 0 else { return "Not even one connection (\(pace)) meets \(limit.text)." }
        let isExact = missed - self.met == 1
        let bound = isExact ? "\(missed) do not" : "\(missed) do not, and nothing between was tried"
        return "\(cameras) (\(pace)) \(self.met == 1 ? "meets" : "meet") \(limit.text); \(bound)."
    }
}
