import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import GlyphwireHTTP

@Suite(.timeLimit(.minutes(1))) struct PictureReaderTests {
    /// Time after which the pictures are decoded even if other work waits for them, which it must not.
    private static let bound = TimeAmount.seconds(30)

    @Test(arguments: [(1, 1, 3), (2, 2, 5), (4, 4, 9), (1, 8, 8)])
    func theFilesThatAreReadAtATimeLeaveAThreadToTheFramesOfStreams(workers: Int, cores: Int, threads: Int) {
        #expect(PictureReader.threadCount(workers: workers, cores: cores) == threads)
    }

    @Test func picturesThatAreDecodedHoldNoOtherWorkUp() async throws {
        // As many as would take all threads of other work.
        let count = NIOSingletons.blockingPoolThreadCountSuggestion
        let threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
        let pictures = PictureReader(workers: count, threads: threads)
        let file = PictureReader.File(bytes: try AnnotateRequests.jpeg.get(), name: "a.jpg", received: .now)
        let (gate, (begun, continuation)) = (Gate(), AsyncStream<Void>.makeStream())
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<count {
                tasks.addTask {
                    try await pictures.decode(file) { _ in
                        continuation.yield()
                        gate.wait()
                    }
                }
            }
            for await _ in begun.prefix(count) {}
            let isLate = NIOLockedValueBox(false)
            let bound = MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: Self.bound) {
                isLate.withLockedValue { $0 = true }
                gate.open()
            }
            let wasLate = await NIOThreadPool.runLongWork { isLate.withLockedValue(\.self) }
            bound.cancel()
            #expect(!wasLate, "other work waits for a thread that decodes")
            gate.open()
            try await tasks.waitForAll()
        }
        try await threads.shutdownGracefully()
    }
}
