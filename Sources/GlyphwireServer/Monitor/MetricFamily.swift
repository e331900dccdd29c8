/// Family of metrics, which differ only in their labels.
///
/// These are all that a server, its HTTP service and their process have, in the order of `/metrics` and of the table in
/// docs/deploying.md. By the conventions of Prometheus, a name has its unit, and `_total` for a counter.
package enum MetricFamily: String, CaseIterable, Sendable {
    /// Kind of the metrics of a family.
    package enum Kind: String, Sendable {
        /// A sum that only grows.
        case counter
        /// A value that may fall.
        case gauge
        /// Durations, counted by their length.
        case histogram
    }

    case build = "glyphwire_build_info"
    case frames = "glyphwire_frames_total"
    case trackedFrames = "glyphwire_tracked_frames_total"
    case trackedLines = "glyphwire_tracked_lines_read_total"
    case frameWarnings = "glyphwire_frame_warnings_total"
    case frameAge = "glyphwire_frame_age_seconds"
    case frameAgeOutliers = "glyphwire_frame_age_outliers_total"
    case frameStage = "glyphwire_frame_stage_seconds"
    case frameTime = "glyphwire_frame_seconds"
    case queueFrames = "glyphwire_queue_frames"
    case workers = "glyphwire_workers"
    case busyWorkers = "glyphwire_workers_busy"
    case busyTime = "glyphwire_worker_busy_seconds_total"
    case draining = "glyphwire_draining"
    case connections = "glyphwire_connections"
    case acceptedConnections = "glyphwire_connections_accepted_total"
    case closedConnections = "glyphwire_connections_closed_total"
    case receivedBytes = "glyphwire_received_bytes_total"
    case sentBytes = "glyphwire_sent_bytes_total"
    case errorLines = "glyphwire_error_lines_total"
    case refusedTokens = "glyphwire_tokens_refused_total"
    case certificateExpiry = "glyphwire_tls_certificate_expiry_seconds"
    case livePages = "glyphwire_live_pages"
    case httpResponses = "glyphwire_http_responses_total"
    case refusedHTTPRequests = "glyphwire_http_requests_refused_total"
    case refusedHTTPConnections = "glyphwire_http_connections_refused_total"
    case httpReceivedBytes = "glyphwire_http_received_bytes_total"
    case httpSentBytes = "glyphwire_http_sent_bytes_total"
    case silentConnections = "glyphwire_connections_silent"
    case ready = "glyphwire_ready"
    case residentMemory = "process_resident_memory_bytes"
    case virtualMemory = "process_virtual_memory_bytes"
    case processorTime = "process_cpu_seconds_total"
    case openFiles = "process_open_fds"
    case maxFiles = "process_max_fds"
    case startTime = "process_start_time_seconds"

    /// Kind of the metrics.
    package var kind: Kind { self.facts.kind }

    /// One-line description of the metrics, without a backslash.
    package var help: String { self.facts.help }

    /// Name under which the metrics are written as well, for what was made for earlier versions; `nil` for none.
    package var formerName: String? {
        // OpenMetrics and OpenTelemetry leave out `_total`, and then take it for a second kind of the open connections.
        self == .acceptedConnections ? "glyphwire_connections_total" : nil
    }

    /// Kind and help, which the API of swift-metrics does not have.
    private var facts: (kind: Kind, help: String) {
        switch self {
        case .build: (.gauge, "The version of this server; the value is always 1.")
        case .frames: (.counter, "Answered frames, by status and reason.")
        case .trackedFrames:
            (
                .counter,
                "Frames with temporal that were read, by their largest scan for text: none, regions, coarse or full."
            )
        case .trackedLines: (.counter, "Lines that were read in frames with temporal.")
        case .frameWarnings: (.counter, "Warnings about frames that were read nevertheless, by code.")
        case .frameAge:
            (
                .histogram,
                "Time from a frame's capture to its answer, for frames with a known capture time and an age of 0 to 60 "
                    + "seconds."
            )
        case .frameAgeOutliers:
            (.counter, "Frames with an age below 0 or above 60 seconds, as caused by a wrong clock.")
        case .frameStage:
            (.histogram, "Time that frames with status ok spent in a stage; the stages of timings_us in the protocol.")
        case .frameTime:
            (
                .histogram,
                "Time from the last byte of a frame with status ok to its result; total of timings_us in the protocol."
            )
        case .queueFrames: (.gauge, "Frames waiting for a worker.")
        case .workers: (.gauge, "Threads that read frames.")
        case .busyWorkers: (.gauge, "Threads that are reading a frame now.")
        case .busyTime: (.counter, "Time that all workers have spent on frames that are answered.")
        case .draining: (.gauge, "1 while the server finishes what it has accepted, else 0.")
        case .connections: (.gauge, "Connections to the frame port that are open.")
        case .acceptedConnections: (.counter, "Connections to the frame port that were accepted.")
        case .closedConnections: (.counter, "Connections to the frame port that have closed, by reason.")
        case .receivedBytes: (.counter, "Bytes that clients sent to the frame port.")
        case .sentBytes: (.counter, "Bytes of lines for clients of the frame port.")
        case .errorLines: (.counter, "Rejected messages other than frames, by code.")
        case .refusedTokens: (.counter, "Tokens that were missing or wrong, by port.")
        case .certificateExpiry:
            (.gauge, "Earliest Unix time at which a certificate of the chain in use expires.")
        case .livePages: (.gauge, "Open live pages.")
        case .httpResponses: (.counter, "Responses over HTTP, by status.")
        case .refusedHTTPRequests: (.counter, "HTTP requests on connections beyond the limit of open ones.")
        case .refusedHTTPConnections: (.counter, "HTTP connections that were not served, by reason.")
        case .httpReceivedBytes: (.counter, "Bytes of requests over HTTP, without those of TLS.")
        case .httpSentBytes: (.counter, "Bytes of responses over HTTP, without those of TLS.")
        case .silentConnections: (.gauge, "Open connections without a frame in the last minute.")
        case .ready:
            (.gauge, "1 while the server reads its test frame and accepts streams, as /readyz reports, else 0.")
        case .residentMemory: (.gauge, "Resident memory of this process.")
        case .virtualMemory: (.gauge, "Virtual memory of this process.")
        case .processorTime: (.counter, "Processor time used by this process.")
        case .openFiles: (.gauge, "Open file descriptors.")
        case .maxFiles: (.gauge, "Maximum number of open file descriptors.")
        case .startTime: (.gauge, "Start time of this process, since 1970.")
        }
    }
}
