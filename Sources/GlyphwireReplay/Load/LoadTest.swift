package import GlyphwireProtocol
internal import TextModel

/// Load test of one run, or of several with the loads of a plan.
package struct LoadTest: Sendable {
    /// Plan of the loads to try.
    package enum Plan: Sendable {
        /// The configuration's load.
        case once
        /// The loads of a ramp.
        case ramp(LoadRamp)
        /// A search for the greatest number of connections that meets the limit.
        case limit(LatencyLimit, maxConnections: Int)
    }

    /// Configuration common to all runs.
    package var configuration: ReplayConfiguration
    /// Plan of the loads to try.
    package var plan: Plan
    /// Check of the results.
    package var check: Replay.Check
    /// Callback for every line of the first connection.
    package var onLine: (@Sendable (ServerLine) -> Void)?
    /// Callback for the progress, every second.
    package var onProgress: (@Sendable (Replay.Progress) -> Void)?
    /// Callback before each of several runs, with a description of its load.
    package var onRun: (@Sendable (String) -> Void)?

    /// Creates a test.
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

    /// Performs the runs and adds them to a report.
    ///
    /// - Parameters:
    ///   - report: The report; earlier runs are added even if a later one throws.
    ///   - stop: Ends the current run early, without further ones.
    /// - Throws: What ``Replay/run(until:)`` throws.
    package func run(into report: inout LoadReport, until stop: StopSignal) async throws {
        switch self.plan {
        case .once:
            _ = try await self.run(self.configuration, into: &report, until: stop)
        case .ramp(let ramp):
            for value in ramp.values where !stop.isStopped {
                _ = try await self.run(ramp.axis, value, into: &report, until: stop)
            }
        case .limit(let limit, let maxConnections):
            try await self.search(limit, maxConnections: maxConnections, into: &report, until: stop)
        }
    }

    private func search(
        _ limit: LatencyLimit,
        maxConnections: Int,
        into report: inout LoadReport,
        until stop: StopSignal
    ) async throws {
        var test = self
        test.configuration.deadline = limit.limit
        var search = LimitSearch(maxLoad: maxConnections)
        var flaws: [Int: String] = [:]
        // Also where a later run throws.
        defer { report.finding = search.finding(limit, each: self.configuration.paceDescription, flaws: flaws) }
        while !stop.isStopped, let value = search.next {
            let run = try await test.run(.connections, value, into: &report, until: stop)
            if stop.isStopped { break }
            flaws[value] = run.flaw
            search.tried(value, isMet: limit.isMet(by: run))
        }
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
    /// Description of the result; `nil` if no load was tried to its end.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - pace: The pace on each connection.
    ///   - flaws: By load, what kept a run from meeting the limit other than its latency.
    /// - Returns: A sentence.
    fileprivate func finding(_ limit: LatencyLimit, each pace: String, flaws: [Int: String]) -> String? {
        let cameras = self.met.counted("connection")
        guard let missed = self.missed else {
            return self.met > 0 ? "At least \(cameras) (\(pace)) meet \(limit.text); more were not tried." : nil
        }
        let flaw = flaws[missed].map { ": \($0)" } ?? ""
        guard self.met > 0 else { return "Not even one connection (\(pace)) meets \(limit.text)\(flaw)." }
        let isExact = missed - self.met == 1
        let bound = isExact ? "\(missed) do not\(flaw)" : "\(missed) do not\(flaw), and nothing between was tried"
        return "\(cameras) (\(pace)) \(self.met == 1 ? "meets" : "meet") \(limit.text); \(bound)."
    }
}
