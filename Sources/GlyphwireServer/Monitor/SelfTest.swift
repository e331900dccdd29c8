internal import GlyphwireProtocol
internal import TextModel
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import ServiceLifecycle

/// Self-test of workers and models with a known frame, read at intervals.
///
/// The frame waits in the queue like others. A late answer of a busy server is not a failure; it is a failure if no
/// worker finishes any frame for a minute.
final class SelfTest: Sendable {
    /// Stream number of the frame, which no connection has.
    static let id = ConnectionID(0)
    /// Time between tests.
    private static let interval = Duration.seconds(10)
    /// Time within which a worker must finish any frame.
    private static let timeout = Duration.seconds(60)
    /// Readiness when none has.
    private static let stalled = Readiness.failing("no worker has finished a frame for a minute")

    private enum State: Sendable {
        case untested
        case running(since: ContinuousClock.Instant, last: Readiness?)
        case done(at: ContinuousClock.Instant, Readiness)
    }

    private let state = NIOLockedValueBox(State.untested)

    /// Whether a test has begun and has not ended.
    var isRunning: Bool {
        if case .running = self.state.withLockedValue(\.self) { true } else { false }
    }

    /// Outcome of the tests.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - lastWork: When a worker last finished a frame of any stream.
    /// - Returns: ``Readiness/starting`` until the first test is finished.
    func readiness(at now: ContinuousClock.Instant, lastWork: ContinuousClock.Instant?) -> Readiness {
        switch self.state.withLockedValue(\.self) {
        case .untested: return .starting
        case .done(_, let readiness): return readiness
        case .running(let start, let last):
            let lastSign = max(start, lastWork ?? start)
            if now - lastSign > Self.timeout { return Self.stalled }
            return last ?? .starting
        }
    }

    /// Starts a test if the last one is finished and old enough.
    ///
    /// - Parameters:
    ///   - reader: A reader of the server, with the number ``id``.
    ///   - options: The server's default reading options.
    ///   - now: The time.
    /// - Returns: The test; `nil` if none was due.
    @discardableResult
    func run(
        on reader: LocalReader,
        options: ReadingOptions,
        at now: ContinuousClock.Instant = .now
    ) -> Task<Readiness, Never>? {
        let isDue = self.state.withLockedValue { state in
            switch state {
            case .untested:
                state = .running(since: now, last: nil)
            case .done(let time, let readiness) where now - time >= Self.interval:
                state = .running(since: now, last: readiness)
            case .done, .running: return false
            }
            return true
        }
        guard isDue else { return nil }
        return Task {
            let readiness = await Self.read(on: reader, options: options)
            self.state.withLockedValue { $0 = .done(at: .now, readiness) }
            return readiness
        }
    }

    /// Waits for a test to end, though not longer than a worker may take for a frame: one that hangs would never end it.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - eventLoop: The event loop of the timeout.
    /// - Returns: Its outcome, or the failure of one that has not ended; `nil` at once after a shutdown or a cancellation.
    static func outcome(of test: Task<Readiness, Never>, on eventLoop: any EventLoop) async -> Readiness? {
        let outcome = eventLoop.makePromise(of: Readiness?.self)
        outcome.completeWithTask { await test.value }
        let timeout = eventLoop.scheduleTask(in: TimeAmount(Self.timeout)) { outcome.succeed(Self.stalled) }
        defer { timeout.cancel() }
        return await withTaskCancellationOrGracefulShutdownHandler {
            // The promise never fails.
            try? await outcome.futureResult.get()
        } onCancelOrGracefulShutdown: {
            outcome.succeed(nil)
        }
    }

    private static func read(on reader: LocalReader, options: ReadingOptions) async -> Readiness {
        let payload = ByteBuffer(bytes: SelfTestPicture.jpeg)
        let header = MessageHeader(type: .frame, format: .jpeg, payloadByteCount: payload.readableBytes)
        defer { reader.rest() }
        let result: FrameResult
        do throws(WireError) {
            let frame = try FrameDescription(header: header, limits: reader.limits)
            result = await reader.read(
                frame,
                payload: payload,
                configuration: StreamConfiguration(reading: options)
            )
        } catch {
            return .failing("the self-test frame was rejected: \(error.message)")
        }
        switch result.outcome {
        case .ok(let text) where text.text == SelfTestPicture.text: return .ready
        case .ok(let text):
            return .failing("the self-test frame says \"\(SelfTestPicture.text)\" and was read as \"\(text.text)\"")
        case .error(let error): return .failing("the self-test frame could not be read: \(error.message)")
        case .dropped, .expired, .other: return .failing("the self-test frame was not read")
        }
    }
}
