internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireServer

/// The content of `/metrics`.
struct MetricsPage {
    /// The media type of ``text``.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private var page = PrometheusText()

    /// What was written so far.
    var text: String { self.page.text }

    /// Writes what a server has counted.
    ///
    /// - Parameters:
    ///   - metrics: Of the server.
    ///   - refusedRequests: Requests over HTTP without the right token.
    ///   - livePages: Live pages that are open.
    mutating func write(_ metrics: ServerMetrics, refusedRequests: Int, livePages: Int) {
        self.writeBuild()
        self.writeFrames(metrics)
        self.writeStages(metrics)
        self.writeWorkers(metrics)
        self.writeConnections(metrics, refusedRequests: refusedRequests)
        self.page.write("glyphwire_live_pages", .gauge, "Live pages that are open.") { $0.add(livePages) }
    }

    private mutating func writeBuild() {
        self.page.write("glyphwire_build_info", .gauge, "The version of this server; the value is always 1.") {
            $0.add(1, ["version": GlyphwireServer.version, "protocol": "\(Hello.protocolVersion)"])
        }
    }

    private mutating func writeFrames(_ metrics: ServerMetrics) {
        self.page.write("glyphwire_frames_total", .counter, "Frames that were answered, by status and why.") {
            samples in
            samples.add(metrics.ok - metrics.reused, ["status": "ok", "reason": "read"])
            samples.add(metrics.reused, ["status": "ok", "reason": "reused"])
            samples.add(metrics.dropped, ["status": "dropped", "reason": "superseded"])
            samples.add(metrics.expired, ["status": "expired", "reason": "deadline"])
            for code in Self.frameCodes {
                samples.add(metrics.frameErrors[code] ?? 0, ["status": "error", "reason": code.rawValue])
            }
        }
        self.page.write(
            "glyphwire_frame_warnings_total",
            .counter,
            "Warnings about frames that were read all the same, by code."
        ) { samples in
            for code in FrameWarning.Code.known {
                samples.add(metrics.frameWarnings[code] ?? 0, ["code": code.rawValue])
            }
        }
        self.page.write(
            "glyphwire_frame_age_seconds",
            .histogram,
            "Time from a frame's capture to its answer, of frames whose capture time is known."
        ) { $0.add(metrics.age) }
    }

    private mutating func writeStages(_ metrics: ServerMetrics) {
        self.page.write(
            "glyphwire_frame_stage_seconds",
            .histogram,
            "Time that frames with status ok spent in a stage; the stages of timings_us in the protocol."
        ) { samples in
            samples.add(metrics.stages.queue, ["stage": "queue"])
            samples.add(metrics.stages.decode, ["stage": "decode"])
            samples.add(metrics.stages.detect, ["stage": "detect"])
            samples.add(metrics.stages.recognize, ["stage": "recognize"])
        }
        self.page.write(
            "glyphwire_frame_seconds",
            .histogram,
            "Time from the last byte of a frame with status ok to its result; total of timings_us in the protocol."
        ) { $0.add(metrics.stages.total) }
    }

    private mutating func writeWorkers(_ metrics: ServerMetrics) {
        self.page.write("glyphwire_queue_frames", .gauge, "Frames that wait for a worker.") {
            $0.add(metrics.waitingFrames)
        }
        self.page.write("glyphwire_workers", .gauge, "Threads that read frames.") { $0.add(metrics.workers) }
        self.page.write("glyphwire_workers_busy", .gauge, "Threads that are reading a frame now.") {
            $0.add(metrics.busyWorkers)
        }
        self.page.write(
            "glyphwire_worker_busy_seconds_total",
            .counter,
            "Time that all workers have spent on frames that are answered."
        ) { $0.add(metrics.busyTime / .seconds(1)) }
        self.page.write("glyphwire_draining", .gauge, "1 while the server finishes what it has accepted, else 0.") {
            $0.add(metrics.isDraining ? 1 : 0)
        }
    }

    private mutating func writeConnections(_ metrics: ServerMetrics, refusedRequests: Int) {
        self.page.write("glyphwire_connections", .gauge, "Connections to the frame port that are open.") {
            $0.add(metrics.openConnections)
        }
        self.page.write("glyphwire_connections_total", .counter, "Connections to the frame port that were accepted.") {
            $0.add(metrics.acceptedConnections)
        }
        self.page.write("glyphwire_received_bytes_total", .counter, "Bytes that clients sent to the frame port.") {
            $0.add(metrics.receivedBytes)
        }
        self.page.write("glyphwire_sent_bytes_total", .counter, "Bytes of lines for clients of the frame port.") {
            $0.add(metrics.sentBytes)
        }
        self.page.write(
            "glyphwire_error_lines_total",
            .counter,
            "Messages other than frames that were refused, by code."
        ) {
            samples in
            for code in Self.lineCodes { samples.add(metrics.errorLines[code] ?? 0, ["code": code.rawValue]) }
        }
        self.page.write("glyphwire_tokens_refused_total", .counter, "Tokens that were missing or wrong, by port.") {
            let lines = [WireError.Code.authRequired, .authFailed].reduce(0) { $0 + (metrics.errorLines[$1] ?? 0) }
            $0.add(lines, ["port": "frames"])
            $0.add(refusedRequests, ["port": "http"])
        }
    }

    /// Codes that end a frame.
    private static let frameCodes: [WireError.Code] = WireError.Code.allCases.filter { code in
        !code.isFatal && !Self.configurationCodes.contains(code) && code != .unknownType
    }
    /// Codes that end another message, or a connection.
    private static let lineCodes: [WireError.Code] = WireError.Code.allCases.filter { code in
        code.isFatal || Self.configurationCodes.contains(code) || code == .unknownType || code == .unsupportedFlag
    }
    private static let configurationCodes: [WireError.Code] = [
        .badConfiguration, .unknownOption, .badOption, .unsupportedLanguage, .levelUnavailable,
    ]

    /// Writes what the system knows of this process, under the names that programs of all kinds use.
    mutating func write(_ process: ProcessFacts) {
        self.page.write("process_resident_memory_bytes", .gauge, "Memory of this process that is in RAM.") {
            $0.add(process.residentBytes)
        }
        self.page.write("process_virtual_memory_bytes", .gauge, "Memory that this process has addresses for.") {
            $0.add(process.virtualBytes)
        }
        self.page.write("process_cpu_seconds_total", .counter, "Processor time that this process has used.") {
            $0.add(process.processorSeconds)
        }
        self.page.write("process_open_fds", .gauge, "File descriptors that are open.") { $0.add(process.openFiles) }
        self.page.write("process_max_fds", .gauge, "File descriptors that may be open.") { $0.add(process.maxFiles) }
        self.page.write("process_start_time_seconds", .gauge, "When this process was started, since 1970.") {
            $0.add(process.startSeconds)
        }
    }
}
