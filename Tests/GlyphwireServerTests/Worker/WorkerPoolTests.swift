import GlyphwireProtocol
import NIOPosix
import TestSupport
import Testing

@testable import GlyphwireServer

@Suite(.timeLimit(.minutes(1))) struct WorkerPoolTests {
    @Test func aThreadThatHangsInTheSelfTestIsNotWaitedForOnceItsFrameIsAbandoned() async throws {
        let (gate, engine, begun) = StubEngine.hanging()
        defer { gate.open() }
        let core = ServerComponents(configuration: ServerConfiguration(), engine: engine, logger: .silent)
        let workers = try WorkerPool(
            count: 1,
            queue: core.queue,
            engine: engine,
            limits: core.configuration.limits.wire,
            on: MultiThreadedEventLoopGroup.singleton.next()
        )
        #expect(!core.selfTest.isRunning)
        let hanging = try #require(core.runSelfTest())
        for await _ in begun.prefix(1) {}
        #expect(core.selfTest.isRunning)
        workers.abandonFrames()
        await workers.stop()
        let reason = "the self-test frame could not be read: \(WireError.serverStops.message)"
        #expect(await hanging.value == .failing(reason))
        #expect(!core.selfTest.isRunning)
    }
}
