import TextModel
import GlyphwireProtocol
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOPosix
import TestSupport
import Testing

@testable import GlyphwireServer

@Suite(.timeLimit(.minutes(1))) struct SelfTestTests {
    /// A server without workers, whose frames stay in its queue.
    private let core = ServerComponents(configuration: ServerConfiguration(), engine: StubEngine(), logger: .silent)
    private let test = SelfTest()
    private let start = ContinuousClock.now

    @Test func workersThatAreDoneWithNothingForAMinuteAreAFailure() async throws {
        self.test.run(
            on: self.core.makeLocalReader(id: SelfTest.id, meters: nil),
            options: ReadingOptions(),
            at: self.start
        )
        #expect(self.test.readiness(at: self.start + .seconds(60), lastWork: nil) == .starting)
        guard case .failing = self.test.readiness(at: self.start + .seconds(61), lastWork: nil) else {
            Issue.record("not failing")
            return
        }
        let busy = self.test.readiness(at: self.start + .seconds(100), lastWork: self.start + .seconds(41))
        #expect(busy == .starting, "a frame was finished, so the test only has to wait")
    }

    @Test func aWorkerThatHangsHoldsUpTheStartForAMinuteOnly() async throws {
        let reader = self.core.makeLocalReader(id: SelfTest.id, meters: nil)
        let hanging = try #require(self.test.run(on: reader, options: ReadingOptions()))
        let (loop, outcome) = (NIOAsyncTestingEventLoop(), NIOLockedValueBox<Readiness?>(nil))
        let start = Task {
            let readiness = await SelfTest.outcome(of: hanging, on: loop)
            outcome.withLockedValue { $0 = readiness }
        }
        // The timeout may not be there yet.
        while outcome.withLockedValue(\.self) == nil { await loop.advanceTime(by: .seconds(60)) }
        await start.value
        #expect(outcome.withLockedValue(\.self) == .failing("no worker has finished a frame for a minute"))
        #expect(self.test.readiness(at: self.start, lastWork: nil) == .starting, "the test goes on")
        while self.core.queue.count < 1 { await Task.yield() }
        for job in self.core.queue.abandonAll() { job.finish(job.unread(.error(.serverStops), at: .now), job) }
        let reason = "the self-test frame could not be read: \(WireError.serverStops.message)"
        #expect(await hanging.value == .failing(reason))
        await loop.shutdownGracefully()
    }

    @Test func aWorkerThatHangsDoesNotHoldUpTheStopOfAStart() async throws {
        let reader = self.core.makeLocalReader(id: SelfTest.id, meters: nil)
        let hanging = try #require(self.test.run(on: reader, options: ReadingOptions()))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let start = Task { await SelfTest.outcome(of: hanging, on: loop) }
        start.cancel()
        #expect(await start.value == nil)
        while self.core.queue.count < 1 { await Task.yield() }
        for job in self.core.queue.abandonAll() { job.finish(job.unread(.error(.serverStops), at: .now), job) }
        _ = await hanging.value
    }
}
