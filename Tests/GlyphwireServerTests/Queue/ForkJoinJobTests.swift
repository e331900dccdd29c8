import ImageCodecs
import GlyphwireProtocol
import TextModel
import NIOConcurrencyHelpers
import TestSupport
import TextRecognition
import Testing

@testable import GlyphwireServer

@Suite(.timeLimit(.minutes(1))) struct ForkJoinJobTests {
    /// Barrier for a number of threads.
    private final class Meeting: Sendable {
        private let missing: NIOLockedValueBox<Int>
        private let gate = Gate()

        init(of count: Int) { self.missing = NIOLockedValueBox(count) }

        func attend() {
            let isComplete = self.missing.withLockedValue {
                $0 -= 1
                return $0 == 0
            }
            if isComplete { self.gate.open() }
            self.gate.wait()
        }
    }

    /// Starts a thread that joins fork-join jobs until the queue stops.
    private static func startWorker(of queue: FrameQueue) throws -> Gate {
        let hasEnded = Gate()
        try WorkerThread.start(name: "worker") {
            while case .join(let work)? = queue.next() { work.takePart(until: { queue.isServable }) }
            hasEnded.open()
        }
        return hasEnded
    }

    @Test func whoHasNothingToDoTakesPart() throws {
        let queue = FrameQueue(workers: 3)
        let ends = try [Self.startWorker(of: queue), Self.startWorker(of: queue)]
        for _ in 0..<100 {
            // Ends only if three threads run at a time.
            let meeting = Meeting(of: 3)
            queue.run(3) { _ in meeting.attend() }
        }
        queue.stop()
        for end in ends { end.wait() }
    }

    @Test(arguments: [1, 2, 4], [0, 1, 5, 1000])
    func everyPieceIsDoneOnceBeforeItReturns(workers: Int, count: Int) throws {
        let queue = FrameQueue(workers: workers)
        let ends = try (1..<workers).map { _ in try Self.startWorker(of: queue) }
        let done = NIOLockedValueBox([Int](repeating: 0, count: count))
        queue.run(count) { piece in done.withLockedValue { $0[piece] += 1 } }
        #expect(done.withLockedValue { $0.allSatisfy { $0 == 1 } })
        queue.stop()
        for end in ends { end.wait() }
    }

    @Test func aWorkerNeededElsewhereLeavesTheRestToTheOthers() {
        let done = NIOLockedValueBox<[Int]>([])
        let work = ForkJoinJob(5) { piece in done.withLockedValue { $0.append(piece) } }
        work.takePart(until: { true })
        #expect(done.withLockedValue(\.self) == [0])
        #expect(work.isOpen)
        work.finish()
        #expect(done.withLockedValue(\.self) == [0, 1, 2, 3, 4])
        #expect(!work.isOpen)
        work.takePart(until: { false })
        #expect(done.withLockedValue(\.count) == 5)
    }

    @Test func nothingOfItIsKept() {
        final class Witness: Sendable {}
        let queue = FrameQueue(workers: 2)
        weak var kept: Witness?
        do {
            let witness = Witness()
            kept = witness
            queue.run(3) { _ in withExtendedLifetime(witness) {} }
        }
        #expect(kept == nil)
        queue.stop()
        #expect(queue.next() == nil)
    }

    /// Readers that can read only together with another worker.
    private struct CooperatingEngine: ReadingEngine {
        private final class Reader: TextReader {
            private let executor: any ParallelExecutor

            init(_ executor: any ParallelExecutor) { self.executor = executor }

            func read(
                _ pixels: PixelView,
                orientation: Orientation,
                options: ReadingOptions
            ) throws(RecognitionError) -> Reading {
                let meeting = Meeting(of: 2)
                self.executor.run(2) { _ in meeting.attend() }
                return .text("met")
            }
        }

        let levels = RecognitionLevel.allCases

        func languages(of level: RecognitionLevel) -> [String] { ["en"] }
        func canRead(_ character: Character, at level: RecognitionLevel) -> Bool { true }
        func makeReader(executor: any ParallelExecutor) -> any TextReader { Reader(executor) }
    }

    @Test func aSingleStreamIsReadByTwoWorkers() async throws {
        try await TestServer.run(engine: CooperatingEngine()) { server in
            let client = try await TestClient.connect(port: server.port)
            #expect(try await client.nextLine()?.summary == "hello")
            for sequence in 1...20 as ClosedRange<UInt64> {
                try await client.send(.gray(sequence))
                #expect(try await client.nextLine()?.summary == "\(sequence): met")
            }
            try await client.close()
        }
    }
}
