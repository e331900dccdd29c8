import Dispatch
import GlyphwireProtocol
import NIOConcurrencyHelpers
import Testing

@testable import TextRecognition

/// Executor with as many threads as the system provides.
struct ThreadExecutor: ParallelExecutor {
    func run(_ count: Int, _ body: @escaping @Sendable (_ piece: Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
}

/// Executor on the caller's thread that begins with the last piece.
private struct ReversedExecutor: ParallelExecutor {
    func run(_ count: Int, _ body: @escaping @Sendable (_ piece: Int) -> Void) {
        for piece in (0..<count).reversed() { body(piece) }
    }
}

@Suite struct ParallelExecutorTests {
    private static let all: [any ParallelExecutor] = [InlineExecutor(), ReversedExecutor(), ThreadExecutor()]

    @Test(arguments: [0, 1, 7, 1000])
    func everyPieceRunsOnceWithItsIndex(count: Int) {
        for executor in Self.all {
            let done = NIOLockedValueBox([Int](repeating: 0, count: count))
            let texts = executor.map(Array(0..<count)) { piece in
                done.withLockedValue { $0[piece] += 1 }
                return "\(piece)"
            }
            #expect(texts == (0..<count).map(String.init))
            #expect(done.withLockedValue { $0.allSatisfy { $0 == 1 } })
        }
    }

    @Test func theFirstFailureIsThrownAfterAllPieces() {
        for executor in Self.all {
            let done = NIOLockedValueBox(0)
            let error = #expect(throws: RecognitionError.self) {
                try executor.map(Array(0..<20)) { (piece) throws(RecognitionError) -> Int in
                    done.withLockedValue { $0 += 1 }
                    if piece >= 7 { throw RecognitionError(.inferenceFailed, "piece \(piece)") }
                    return piece
                }
            }
            #expect(error?.message == "piece 7")
            #expect(done.withLockedValue(\.self) == 20)
        }
    }

    @Test func anObjectIsUsedByOneAtATimeAndKept() throws {
        final class Thing {
            var isLent = false
        }
        let made = NIOLockedValueBox(0)
        let pool = ObjectPool {
            made.withLockedValue { $0 += 1 }
            return Thing()
        }
        ThreadExecutor().run(1000) { _ in
            pool.withObject { thing in
                #expect(!thing.isLent)
                thing.isLent = true
                pool.withObject { #expect(!$0.isLent) }
                thing.isLent = false
            }
        }
        let count = made.withLockedValue(\.self)
        #expect((2...).contains(count))
        #expect(throws: RecognitionError.self) {
            try pool.withObject { _ throws(RecognitionError) in throw RecognitionError(.inferenceFailed, "broken") }
        }
        for _ in 0..<10 { pool.withObject { #expect(!$0.isLent) } }
        #expect(made.withLockedValue(\.self) == count, "objects are returned, also after failures")
    }
}
