internal import GlyphwireProtocol
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Report of one command: a run, or several under different loads.
package struct LoadReport: Sendable, Codable {
    /// Version of the report format that is written.
    package static let currentFormat = 1

    /// Version of the report format.
    package var format = Self.currentFormat
    /// Version of this software.
    package var version: String
    /// Start time, in seconds since 1970.
    package var startedAt: Double
    /// Machine that ran the measurement.
    package var machine: String
    /// Path of the session.
    package var session: String
    /// Server's address.
    package var address: String
    /// Server's software.
    package var server: String
    /// Arguments of the command, with tokens hidden.
    package private(set) var arguments: [String]
    /// Runs, in order.
    package var runs: [RunReport]
    /// Result of a search for the greatest load, in words; `nil` if there was none.
    package var finding: String?

    /// Creates a report without runs.
    package init(
        session: String,
        address: String,
        startedAt: Double,
        arguments: [String]
    ) {
        self.version = SoftwareVersion.current
        self.machine = Self.thisMachine
        self.session = session
        self.address = address
        self.server = ""
        self.startedAt = startedAt
        self.arguments = arguments.map(Self.withoutToken)
        self.runs = []
    }

    /// Hides the value of a token, as of `--option token=VALUE`.
    private static func withoutToken(_ argument: String) -> String {
        let starts = ["token=", "--option=token="]
        return starts.first { argument.hasPrefix($0) }.map { $0 + SessionInfo.hidden } ?? argument
    }

    /// Adds a run.
    @discardableResult
    package mutating func add(_ configuration: ReplayConfiguration, _ outcome: ReplayOutcome) -> RunReport {
        let run = RunReport(configuration, outcome)
        self.runs.append(run)
        if let hello = outcome.server { self.server = "\(hello.server) \(hello.version)" }
        return run
    }

    /// Short description of the machine: name, processor, cores, and system.
    private static var thisMachine: String {
        var names = utsname()
        uname(&names)
        let text = { (field: UnsafeRawBufferPointer) in String(decoding: field.prefix { $0 != 0 }, as: UTF8.self) }
        let name = withUnsafeBytes(of: &names.nodename, text)
        let system = withUnsafeBytes(of: &names.sysname, text) + " " + withUnsafeBytes(of: &names.release, text)
        let architecture = withUnsafeBytes(of: &names.machine, text)
        return "\(name): \(Self.processor ?? architecture), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, \(system)"
    }

    private static var processor: String? {
        guard
            let file = try? File(reading: "/proc/cpuinfo"), let bytes = try? file.bytes(atMost: 16 << 10),
            let line = String(buffer: bytes).split(separator: "\n").first(where: { $0.hasPrefix("model name") })
        else { return nil }
        return line.split(separator: ":", maxSplits: 1).last.map { String($0.drop(while: \.isWhitespace)) }
    }
}

extension LoadReport {
    /// Failures of streams and logs in all runs, or that none of the runs offered a frame.
    package var failures: [String] {
        let failures = self.runs.flatMap(\.allFailures)
        guard failures.isEmpty, !self.runs.contains(where: { $0.frames.offered > 0 }) else { return failures }
        return ["no frame was offered: the run ended before its first frame, or within the warm-up"]
    }

    /// Whether a frame was lost with its connection.
    package var hasLostFrames: Bool { self.hasFrames(.lost) }

    /// Whether a frame that was sent had no answer in time after the end of its run.
    package var hasUnansweredFrames: Bool { self.hasFrames(.unanswered) }

    private func hasFrames(_ status: FrameStatus) -> Bool {
        self.runs.contains { $0.frames.count(of: status.status) > 0 }
    }

    /// Messages for the runs that fail by one of the conditions.
    package func failures(of conditions: [FailureCondition]) -> [String] {
        self.runs.flatMap { run in
            conditions.compactMap { condition in
                condition.failure(of: run).map { self.runs.count > 1 ? "\(run.load): \($0)" : $0 }
            }
        }
    }
}
