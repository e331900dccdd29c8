import GlyphwireProtocol
import NIOConcurrencyHelpers
import TestSupport
import Testing
import TextModel

@testable import GlyphwireServer

@Suite(.timeLimit(.minutes(1))) struct LocalReaderTests {
    /// A server without workers, whose frames stay in its queue.
    private let core = ServerComponents(configuration: ServerConfiguration(), engine: StubEngine(), logger: .silent)

    private static func read(with reader: LocalReader) async throws -> FrameResult.Outcome {
        let message = Message.gray(1)
        let frame = try FrameDescription(header: message.header, limits: reader.limits)
        return await reader.read(frame, payload: message.payload, configuration: StreamConfiguration()).outcome
    }

    @Test func aFrameThatNobodyWaitsForLeavesTheQueue() async throws {
        let reader = self.core.makeLocalReader(meters: self.core.meters)
        let kept = Task { try await Self.read(with: reader) }
        while self.core.queue.count < 1 { await Task.yield() }
        let cancelled = Task { try await Self.read(with: reader) }
        while self.core.queue.count < 2 { await Task.yield() }
        cancelled.cancel()
        #expect(try await cancelled.value == .expired)
        #expect(self.core.queue.count == 1)
        #expect(self.core.statistics.withLockedValue(\.frames.counts.expired) == 1)
        for job in self.core.queue.abandonAll() { job.finish(job.unread(.error(.serverStops), at: .now), job) }
        #expect(try await kept.value == .error(.serverStops))
    }

    @Test func aTaskThatIsCancelledAlreadyLeavesNoFrame() async throws {
        let reader = self.core.makeLocalReader(meters: nil)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Self.read(with: reader)
        }
        #expect(try await task.value == .expired)
        #expect(self.core.queue.count == 0)
    }

    @Test func aFrameInWorkIsReadToItsEnd() async throws {
        let reader = self.core.makeLocalReader(meters: nil)
        let task = Task { try await Self.read(with: reader) }
        while self.core.queue.count < 1 { await Task.yield() }
        let job = try #require(self.core.queue.popFirst())
        task.cancel()
        #expect(self.core.queue.finished(job))
        job.finish(job.unread(.dropped(by: 7), at: .now), job)
        #expect(try await task.value == .dropped(by: 7))
    }
}
