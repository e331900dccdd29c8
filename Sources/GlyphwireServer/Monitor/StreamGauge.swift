internal import GlyphwireProtocol
internal import TextModel
internal import NIOConcurrencyHelpers

/// Gauge of an open connection: its status, written on its event loop and read from any thread.
final class StreamGauge: Sendable {
    private struct State: Sendable {
        var status: StreamStatus
        var lastArrival: ContinuousClock.Instant?
        var lastError: (error: WireError, time: ContinuousClock.Instant)?
        var receivedRate = RateMeter()
        var readRate = RateMeter()

        mutating func failed(_ error: WireError) {
            self.status.errors[error.code, default: 0] += 1
            self.lastError = (error, .now)
        }
    }

    private let opened = ContinuousClock.now
    private let state: NIOLockedValueBox<State>

    /// Creates the gauge of a new connection.
    init(id: ConnectionID, configuration: StreamConfiguration, isAuthenticated: Bool) {
        let status = StreamStatus(
            id: id.number,
            peer: "unknown",
            isAuthenticated: isAuthenticated,
            configuration: configuration,
            connected: .zero,
            received: 0,
            frames: FramesByStatus(),
            errors: [:],
            warnings: [:],
            receivedRate: 0,
            readRate: 0,
            receivedBytes: 0,
            sentBytes: 0
        )
        self.state = NIOLockedValueBox(State(status: status))
    }

    /// Records the client's address.
    func connected(from peer: String) { self.state.withLockedValue { $0.status.peer = peer } }

    /// Records a new configuration; the client is authenticated then.
    func configured(_ configuration: StreamConfiguration) {
        self.state.withLockedValue { state in
            state.status.configuration = configuration
            state.status.configuration.token = nil
            state.status.isAuthenticated = true
        }
    }

    /// Records received bytes.
    func received(byteCount: Int) { self.state.withLockedValue { $0.status.receivedBytes += byteCount } }

    /// Records a written line.
    func sent(byteCount: Int) { self.state.withLockedValue { $0.status.sentBytes += byteCount } }

    /// Records a received frame, valid or not.
    func frameReceived(at now: ContinuousClock.Instant) {
        self.state.withLockedValue { state in
            state.status.received += 1
            state.lastArrival = now
            state.receivedRate.record(at: self.second(of: now))
        }
    }

    /// Records an answered frame.
    func frameAnswered(_ result: FrameResult) {
        let second = self.second(of: .now)
        self.state.withLockedValue { state in
            state.status.frames.add(FrameStatus(result.outcome))
            switch result.outcome {
            case .ok(let text):
                state.status.timings = result.timings
                state.readRate.record(at: second)
                for warning in text.warnings { state.status.warnings[warning.code, default: 0] += 1 }
            case .error(let error): state.failed(error)
            case .dropped, .expired, .other: break
            }
            state.status.ageMilliseconds = result.ageMilliseconds
        }
    }

    /// Records a written `error` line.
    func errorSent(_ error: WireError) { self.state.withLockedValue { $0.failed(error) } }

    /// Current status of the connection.
    func status(at now: ContinuousClock.Instant = .now) -> StreamStatus {
        let state = self.state.withLockedValue(\.self)
        let age = now - self.opened
        var status = state.status
        status.connected = age
        status.idle = state.lastArrival.map { max(now - $0, .zero) }
        status.lastError = state.lastError.map { StreamError(error: $0.error, elapsed: max(now - $0.time, .zero)) }
        status.receivedRate = state.receivedRate.perSecond(at: age, age: age)
        status.readRate = state.readRate.perSecond(at: age, age: age)
        return status
    }

    private func second(of time: ContinuousClock.Instant) -> Int {
        max(Int((time - self.opened).components.seconds), 0)
    }
}
