package import GlyphwireClient

/// What to play, to whom, and how fast.
package struct ReplayConfiguration: Sendable {
    /// The file with the session.
    package var session: String
    /// The part of the session that is played; all of it by default.
    package var window = SessionWindow()
    /// The server's name or address.
    package var host: String
    /// The server's port; 7411 by default.
    package var port: Int
    /// How TLS is spoken; plain TCP by default.
    package var tls: ClientTLS?
    /// How fast frames follow each other; as recorded by default.
    package var pace: FrameSchedule.Pace
    /// How many frames a connection may have without a result; `nil`, the default, sends frames when they are due.
    ///
    /// With a number a frame is due when there is room for it, and ``pace`` does not count.
    package var maxInFlight: Int?
    /// How often the session is played on each connection; once by default, `nil` until the run is over.
    package var passes: Int?
    /// How long frames are sent, the warm-up among it; `nil`, the default, until the session was played.
    package var duration: Duration?
    /// How long the run goes on before anything is measured; not at all by default.
    package var warmup = Duration.zero
    /// How many connections play it at the same time, their frames spread over the time of one; 1 by default.
    package var connections: Int
    /// Whether the session is loaded before the first frame is sent; by default it is read as it is played.
    package var isPreloaded = false
    /// Options in place of the session's own.
    package var options: ConfigureOverride
    /// A frame is in time that is read so soon after it was due; 500 ms by default.
    package var deadline = Duration.milliseconds(500)
    /// How long a server may take for its next line while frames wait; a minute by default.
    package var timeout: Duration
    /// How long answers are waited for when ``duration`` is over or the run was stopped; 10 seconds by default.
    package var drain = Duration.seconds(10)
    /// The file for the lines as they are received; with several connections each has its own, with its number.
    package var results: String?
    /// The file for a row on every frame.
    package var frameLog: String?
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
        return NumberedPath.path(results, number: stream + 1)
    }
}
