internal import GlyphwireProtocol
internal import TextModel
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A frame of the server's own, read now and then to see whether its workers and models still read.
///
/// It takes its turn like everybody's frames. So a server that is busy answers it late, which is no failure; that no worker
/// has been done with any frame for a minute is one.
final class SelfTest: Sendable {
    /// Whose turns the frame takes; no connection has this number.
    private static let id = ConnectionID(0)
    /// What the picture says.
    private static let text = "READY"
    /// How old an answer may be before the next test.
    private static let interval = Duration.seconds(10)
    /// How long all workers may be at their frames.
    private static let patience = Duration.seconds(60)

    private enum State: Sendable {
        case untested
        case running(since: ContinuousClock.Instant, last: Readiness?)
        case done(at: ContinuousClock.Instant, Readiness)
    }

    private let state = NIOLockedValueBox(State.untested)

    /// What the tests have shown.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - lastWork: When a worker was last done with a frame of anybody.
    /// - Returns: ``Readiness/starting`` until the first test is over.
    func readiness(at now: ContinuousClock.Instant, lastWork: ContinuousClock.Instant?) -> Readiness {
        switch self.state.withLockedValue(\.self) {
        case .untested: return .starting
        case .done(_, let readiness): return readiness
        case .running(let start, let last):
            let lastSign = max(start, lastWork ?? start)
            if now - lastSign > Self.patience { return .failing("no worker has been done with a frame for a minute") }
            return last ?? .starting
        }
    }

    /// Begins a test if the last one is over and old enough.
    ///
    /// - Parameters:
    ///   - core: The server to be tested.
    ///   - now: The time.
    func run(on core: ServerCore, at now: ContinuousClock.Instant = .now) {
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
        guard isDue else { return }
        Task {
            let readiness = await Self.read(on: core)
            self.state.withLockedValue { $0 = .done(at: .now, readiness) }
        }
    }

    private static func read(on core: ServerCore) async -> Readiness {
        let payload = ByteBuffer(bytes: PackageResources.selftest_jpg)
        let header = MessageHeader(type: .frame, format: .jpeg, payloadByteCount: payload.readableBytes)
        let reader = LocalReader(core: core, id: Self.id, isCounted: false)
        defer { reader.rest() }
        let result: FrameResult
        do throws(WireError) {
            let frame = try FrameDescription(header: header, limits: core.configuration.limits.wire)
            result = await reader.read(
                frame,
                payload: payload,
                configuration: StreamConfiguration(reading: core.configuration.stream.reading)
            )
        } catch {
            return .failing("the self-test frame is refused: \(error.message)")
        }
        switch result.outcome {
        case .ok(let text) where text.text == Self.text: return .ready
        case .ok(let text):
            return .failing("the self-test frame says \"\(Self.text)\" and was read as \"\(text.text)\"")
        case .error(let error): return .failing("the self-test frame could not be read: \(error.message)")
        case .dropped, .expired, .other: return .failing("the self-test frame was not read")
        }
    }
}
