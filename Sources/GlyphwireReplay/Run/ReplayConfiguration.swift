/// What to play, to whom, and how fast.
package struct ReplayConfiguration: Sendable {
    /// The file with the session.
    package var session: String
    /// The server's name or address.
    package var host: String
    /// The server's port; 7411 by default.
    package var port: Int
    /// How fast frames follow each other; as recorded by default.
    package var pace: FrameSchedule.Pace
    /// How often the session is played on each connection; once by default, `nil` until the run is stopped.
    package var passes: Int?
    /// How many connections play it at the same time, their frames spread over the time of one; 1 by default.
    package var connections: Int
    /// Options in place of the session's own.
    package var options: ConfigureOverride
    /// How long a server may take for its next line while frames wait; a minute by default.
    package var timeout: Duration
    /// The file for the lines as they are received; with several connections each has its own, with its number.
    package var results: String?
    /// What the time is taken from.
    package var clock: ReplayClock

    /// A configuration, each part at its default unless given.
    package init(
        session: String,
        host: String = "127.0.0.1",
        port: Int = 7411,
        pace: FrameSchedule.Pace = .recorded(speed: 1),
        passes: Int? = 1,
        connections: Int = 1,
        options: ConfigureOverride = ConfigureOverride(),
        timeout: Duration = .seconds(60),
        results: String? = nil,
        clock: ReplayClock = .continuous
    ) {
        self.session = session
        self.host = host
        self.port = port
        self.pace = pace
        self.passes = passes
        self.connections = connections
        self.options = options
        self.timeout = timeout
        self.results = results
        self.clock = clock
    }

    /// The file for the lines of one connection.
    ///
    /// - Parameter stream: Counted from 0.
    /// - Returns: ``results``, or for several connections `name.1.ndjson` and so on in place of `name.ndjson`.
    package func results(ofStream stream: Int) -> String? {
        guard let results = self.results, self.connections > 1 else { return self.results }
        let slash = results.lastIndex(of: "/").map { results.index(after: $0) } ?? results.startIndex
        guard let dot = results[slash...].lastIndex(of: "."), dot > slash else { return "\(results).\(stream + 1)" }
        return "\(results[..<dot]).\(stream + 1)\(results[dot...])"
    }
}
