package import GlyphwireClient

/// Configuration of a run: session, server, and load.
package struct ReplayConfiguration: Sendable {
    /// Path of the session.
    package var session: String
    /// Part of the session to play; all of it by default.
    package var window = SessionWindow()
    /// Server's name or address.
    package var host: String
    /// Server's port; 7411 by default.
    package var port: Int
    /// TLS settings; plain TCP by default.
    package var tls: ClientTLS?
    /// Pace of the frames; as recorded by default.
    package var pace: FrameSchedule.Pace
    /// Maximum number of frames without a result on a connection; `nil`, the default, sends frames when due.
    ///
    /// With a number, a frame is due when there is room for it, and ``pace`` is ignored.
    package var maxInFlight: Int?
    /// Number of playbacks on each connection; once by default, `nil` until the end of the run.
    package var passes: Int?
    /// Duration of sending, with the warm-up; `nil`, the default, for the whole session.
    package var duration: Duration?
    /// Duration of the warm-up before the measurement; none by default.
    package var warmup = Duration.zero
    /// Number of simultaneous connections, with their frames evenly staggered; 1 by default.
    package var connections: Int
    /// Whether the session is loaded before the first frame; by default it is read during the run.
    package var isPreloaded = false
    /// Options that override the session's.
    package var options: ConfigureOverride
    /// Deadline after the due time for a frame to be in time; 500 ms by default.
    package var deadline = Duration.milliseconds(500)
    /// Maximum time until the server's next line while frames are outstanding; a minute by default.
    package var timeout: Duration
    /// Maximum wait for answers after ``duration`` or an early stop; 10 seconds by default.
    package var drain = Duration.seconds(10)
    /// File for the received lines; each of several connections has its own, with its number.
    package var results: String?
    /// File for a CSV row per frame.
    package var frameLog: String?
    /// Files beside the session that the command reads; none by default.
    package var otherInputs: [String] = []
    /// Clock of the run.
    package var clock: ReplayClock

    /// Creates a configuration; each value has its default unless given.
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

    /// Files that the command reads, none of which an output of the run may replace.
    package var inputs: [String] { [self.session] + self.otherInputs }

    /// File for the lines of one connection.
    ///
    /// - Parameter stream: The index of the connection.
    /// - Returns: ``results``, or for several connections `name.1.ndjson` and so on in place of `name.ndjson`.
    package func results(ofStream stream: Int) -> String? {
        guard let results = self.results, self.connections > 1 else { return self.results }
        return NumberedPath.path(results, number: stream + 1)
    }
}
