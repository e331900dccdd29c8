internal import CoreMetrics
internal import GlyphwireProtocol
internal import TextModel

/// Metrics of one server, recorded through swift-metrics from any thread.
struct ServerMetrics: Sendable {
    /// Timers of the stages of frames that were read, by the names of Protocol.md.
    private struct Stages: Sendable {
        let queue, decode, detect, recognize, total: Timer

        init(factory: any MetricsFactory) {
            self.queue = factory.timer(.frameStage, ["stage": "queue"])
            self.decode = factory.timer(.frameStage, ["stage": "decode"])
            self.detect = factory.timer(.frameStage, ["stage": "detect"])
            self.recognize = factory.timer(.frameStage, ["stage": "recognize"])
            self.total = factory.timer(.frameTime)
        }

        func record(_ timings: FrameTimings) {
            self.queue.recordMicroseconds(timings.queue)
            self.decode.recordMicroseconds(timings.decode)
            self.detect.recordMicroseconds(timings.detect)
            self.recognize.recordMicroseconds(timings.recognize)
            self.total.recordMicroseconds(timings.total)
        }
    }

    /// Number of open connections.
    let connections: Meter
    /// Number of accepted connections.
    let acceptedConnections: Counter
    /// Number of closed connections by reason.
    let connectionEnds: [ConnectionEnd: Counter]
    /// Number of bytes received from clients.
    let receivedBytes: Counter
    /// Number of bytes of lines for clients.
    let sentBytes: Counter
    /// 1 while the server drains, else 0.
    let draining: Meter
    /// Waiting frames, and frames in work.
    let queue: QueueMetrics

    private let read, reused, dropped, expired: Counter
    private let trackedFrames: [TrackingWork.Scan: Counter]
    private let trackedLines: Counter
    private let frameErrors: [WireError.Code: Counter]
    private let frameWarnings: [FrameWarning.Code: Counter]
    private let errorLines: [WireError.Code: Counter]
    private let refusedTokens: Counter
    private let stages: Stages
    private let age: Timer
    private let negativeAges, excessiveAges: Counter
    private let busyTime: FloatingPointCounter

    /// Creates the metrics of a server with `workers` threads, all of them zero.
    init(factory: any MetricsFactory, workers: Int) {
        factory.meter(
            .build,
            ["version": GlyphwireServer.version, "protocol": "\(Hello.protocolVersion)"]
        ).set(1)
        factory.meter(.workers).set(workers)
        self.read = factory.counter(.frames, ["status": "ok", "reason": "read"])
        self.reused = factory.counter(.frames, ["status": "ok", "reason": "reused"])
        self.dropped = factory.counter(.frames, ["status": "dropped", "reason": "superseded"])
        self.expired = factory.counter(.frames, ["status": "expired", "reason": "deadline"])
        self.frameErrors = .init(Self.frameCodes) {
            factory.counter(.frames, ["status": "error", "reason": $0.rawValue])
        }
        self.trackedFrames = .init(TrackingWork.Scan.allCases) {
            factory.counter(.trackedFrames, ["scan": $0.rawValue])
        }
        self.trackedLines = factory.counter(.trackedLines)
        self.frameWarnings = .init(FrameWarning.Code.known) { factory.counter(.frameWarnings, ["code": $0.rawValue]) }
        self.errorLines = .init(Self.lineCodes) { factory.counter(.errorLines, ["code": $0.rawValue]) }
        self.refusedTokens = factory.counter(.refusedTokens, ["port": "frames"])
        self.stages = Stages(factory: factory)
        self.age = factory.timer(.frameAge)
        self.negativeAges = factory.counter(.frameAgeOutliers, ["reason": "negative"])
        self.excessiveAges = factory.counter(.frameAgeOutliers, ["reason": "too_old"])
        self.busyTime = factory.fractionCounter(.busyTime)
        self.queue = QueueMetrics(
            waiting: factory.meter(.queueFrames),
            inWork: factory.meter(.busyWorkers)
        )
        self.connections = factory.meter(.connections)
        self.acceptedConnections = factory.counter(.acceptedConnections)
        self.connectionEnds = .init(ConnectionEnd.allCases) {
            factory.counter(.closedConnections, ["reason": $0.rawValue])
        }
        self.receivedBytes = factory.counter(.receivedBytes)
        self.sentBytes = factory.counter(.sentBytes)
        self.draining = factory.meter(.draining)
    }

    /// Records an answered frame.
    func frameAnswered(_ result: FrameResult) {
        if let age = result.ageMilliseconds { self.record(ageMilliseconds: age) }
        switch result.outcome {
        case .ok(let text):
            (text.reused ? self.reused : self.read).increment()
            for warning in text.warnings { self.frameWarnings[warning.code]?.increment() }
            self.stages.record(result.timings)
            if let work = result.work {
                self.trackedFrames[work.scan]?.increment()
                self.trackedLines.increment(by: work.linesRead)
            }
        case .error(let error):
            self.frameErrors[error.code]?.increment()
        case .dropped:
            self.dropped.increment()
            return
        case .expired:
            self.expired.increment()
            return
        case .other:
            return
        }
        self.busyTime.increment(by: Double(result.timings.total - result.timings.queue) / 1_000_000)
    }

    /// Records an age; implausible ones are counted separately, so that no client can distort the histogram.
    private func record(ageMilliseconds age: Int) {
        switch age {
        case ..<0: self.negativeAges.increment()
        case 0...Self.greatestAgeMilliseconds: self.age.recordMilliseconds(age)
        default: self.excessiveAges.increment()
        }
    }

    /// Greatest plausible age of a frame: the default of `--message-time`, within which a live frame arrives.
    private static let greatestAgeMilliseconds = 60_000

    /// Records a written `error` line.
    func errorSent(_ error: WireError) {
        self.errorLines[error.code]?.increment()
        if error.code == .authRequired || error.code == .authFailed { self.refusedTokens.increment() }
    }

    /// Codes of frame errors.
    static let frameCodes = WireError.Code.allCases.filter { code in
        !code.isFatal && !Self.configurationCodes.contains(code) && code != .unknownType
    }
    /// Codes of errors of other messages, or of a connection.
    static let lineCodes = WireError.Code.allCases.filter { code in
        code.isFatal || Self.configurationCodes.contains(code) || code == .unknownType || code == .unsupportedFlag
    }
    private static let configurationCodes: [WireError.Code] = [
        .badConfiguration, .unknownOption, .badOption, .unsupportedLanguage, .levelUnavailable,
    ]
}

/// Metrics of the frame queue.
struct QueueMetrics: Sendable {
    /// Number of frames waiting for a worker.
    let waiting: Meter
    /// Number of frames that workers are reading.
    let inWork: Meter
}

extension Dictionary where Value == Counter {
    /// Creates a counter for each key, in their order.
    fileprivate init(_ keys: [Key], _ counter: (Key) -> Counter) {
        self.init(uniqueKeysWithValues: keys.map { ($0, counter($0)) })
    }
}
