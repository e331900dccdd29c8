package import CoreMetrics

/// Name and help of a family of metrics, which differ only in their labels.
///
/// The API of swift-metrics has no help texts, so a factory for the Prometheus format takes them from here.
package struct MetricFamily: Sendable {
    /// Name by the conventions of Prometheus: with its unit, and `_total` for a counter.
    package let name: String
    /// One-line description of the metrics.
    package let help: String
    /// Name under which the metrics are written as well, for what was made for earlier versions; `nil` for none.
    package let formerName: String?

    /// Creates a family.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - help: The help, without a backslash or a line feed.
    ///   - formerName: The name that it had before.
    package init(_ name: String, _ help: String, formerName: String? = nil) {
        self.name = name
        self.help = help
        self.formerName = formerName
    }
}

extension MetricFamily {
    /// Families of a server, in the order in which they are written.
    package static let server = [
        build, frames, trackedFrames, trackedLines, frameWarnings, frameAge, frameAgeOutliers, frameStage, frameTime,
        queueFrames, workers,
        busyWorkers, busyTime,
        draining, connections, acceptedConnections, closedConnections, receivedBytes, sentBytes, errorLines,
        refusedTokens, certificateExpiry,
    ]

    static let build = MetricFamily("glyphwire_build_info", "The version of this server; the value is always 1.")
    static let frames = MetricFamily("glyphwire_frames_total", "Answered frames, by status and reason.")
    static let trackedFrames = MetricFamily(
        "glyphwire_tracked_frames_total",
        "Frames with temporal that were read, by their largest scan for text: none, regions, coarse or full."
    )
    static let trackedLines = MetricFamily(
        "glyphwire_tracked_lines_read_total",
        "Lines that were read in frames with temporal."
    )
    static let frameWarnings = MetricFamily(
        "glyphwire_frame_warnings_total",
        "Warnings about frames that were read nevertheless, by code."
    )
    static let frameAge = MetricFamily(
        "glyphwire_frame_age_seconds",
        "Time from a frame's capture to its answer, for frames with a known capture time and an age of 0 to 60 seconds."
    )
    static let frameAgeOutliers = MetricFamily(
        "glyphwire_frame_age_outliers_total",
        "Frames with an age below 0 or above 60 seconds, as caused by a wrong clock."
    )
    static let frameStage = MetricFamily(
        "glyphwire_frame_stage_seconds",
        "Time that frames with status ok spent in a stage; the stages of timings_us in the protocol."
    )
    static let frameTime = MetricFamily(
        "glyphwire_frame_seconds",
        "Time from the last byte of a frame with status ok to its result; total of timings_us in the protocol."
    )
    static let queueFrames = MetricFamily("glyphwire_queue_frames", "Frames waiting for a worker.")
    static let workers = MetricFamily("glyphwire_workers", "Threads that read frames.")
    static let busyWorkers = MetricFamily("glyphwire_workers_busy", "Threads that are reading a frame now.")
    static let busyTime = MetricFamily(
        "glyphwire_worker_busy_seconds_total",
        "Time that all workers have spent on frames that are answered."
    )
    static let draining = MetricFamily(
        "glyphwire_draining",
        "1 while the server finishes what it has accepted, else 0."
    )
    static let connections = MetricFamily("glyphwire_connections", "Connections to the frame port that are open.")
    static let acceptedConnections = MetricFamily(
        "glyphwire_connections_accepted_total",
        "Connections to the frame port that were accepted.",
        // OpenMetrics and OpenTelemetry leave out `_total`, and then take it for a second kind of the open connections.
        formerName: "glyphwire_connections_total"
    )
    static let closedConnections = MetricFamily(
        "glyphwire_connections_closed_total",
        "Connections to the frame port that have closed, by reason."
    )
    static let receivedBytes = MetricFamily(
        "glyphwire_received_bytes_total",
        "Bytes that clients sent to the frame port."
    )
    static let sentBytes = MetricFamily(
        "glyphwire_sent_bytes_total",
        "Bytes of lines for clients of the frame port."
    )
    static let errorLines = MetricFamily(
        "glyphwire_error_lines_total",
        "Rejected messages other than frames, by code."
    )
    /// Missing or wrong tokens, on either port.
    package static let refusedTokens = MetricFamily(
        "glyphwire_tokens_refused_total",
        "Tokens that were missing or wrong, by port."
    )
    static let certificateExpiry = MetricFamily(
        "glyphwire_tls_certificate_expiry_seconds",
        "Earliest Unix time at which a certificate of the chain in use expires."
    )
}

extension MetricsFactory {
    /// Creates a counter of `family`.
    package func counter(_ family: MetricFamily, _ labels: KeyValuePairs<String, String> = [:]) -> Counter {
        Counter(label: family.name, dimensions: labels.map { ($0.key, $0.value) }, factory: self)
    }

    /// Creates a meter of `family`, which holds the last recorded value.
    package func meter(_ family: MetricFamily, _ labels: KeyValuePairs<String, String> = [:]) -> Meter {
        Meter(label: family.name, dimensions: labels.map { ($0.key, $0.value) }, factory: self)
    }

    /// Creates a timer of `family`.
    package func timer(_ family: MetricFamily, _ labels: KeyValuePairs<String, String> = [:]) -> CoreMetrics.Timer {
        Timer(label: family.name, dimensions: labels.map { ($0.key, $0.value) }, factory: self)
    }
}
