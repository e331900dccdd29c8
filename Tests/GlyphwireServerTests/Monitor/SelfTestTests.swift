import TextModel
import GlyphwireProtocol
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
}
