import Dispatch
import SystemSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct NamedThreadTests {
    private struct Failed: Error {}

    @Test func workThatBlocksHasAResultOrAnError() async throws {
        #expect(try await NamedThread.run(name: "test", { 7 }, onCancel: {}) == 7)
        let failing: @Sendable () throws -> Int = { throw Failed() }
        await #expect(throws: Failed.self) { try await NamedThread.run(name: "test", failing, onCancel: {}) }
    }

    @Test func cancellationReachesWorkThatBlocks() async {
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let task = Task {
            try await NamedThread.run(name: "test") {
                started.yield()
                end.wait()
            } onCancel: {
                end.signal()
            }
        }
        for await _ in starts { break }
        task.cancel()
        #expect(await task.result.isSuccess)
    }
}

extension Result {
    /// Whether this is no error.
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
