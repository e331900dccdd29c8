import Dispatch
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import SystemSupport

@Suite(.timeLimit(.minutes(1))) struct OutputThreadTests {
    private struct Backlog: OutputBacklog {
        private var lines = ByteBuffer()
        var isEmpty: Bool { self.lines.readableBytes == 0 }

        mutating func append(_ line: String) { self.lines.writeString("\(line)\n") }

        mutating func takeLines() -> ByteBuffer {
            defer { self.lines = ByteBuffer() }
            return self.lines
        }
    }

    /// More than the time limit of a test.
    private static let patience = Duration.seconds(120)

    @Test func linesThatWaitAreWrittenBeforeTheEnd() async throws {
        let written = NIOLockedValueBox("")
        let output = OutputThread(Backlog()) { bytes in
            written.withLockedValue { $0 += String(buffer: bytes) }
            return OutputResult(byteCount: bytes.readableBytes)
        }
        for line in ["a", "b"] { output.update { $0.append(line) } }
        try output.start(name: "test")
        output.update { $0.append("c") }
        #expect(await output.close(within: Self.patience) == 0)
        #expect(await output.close(within: Self.patience) == 0, "a second time")
        #expect(written.withLockedValue(\.self) == "a\nb\nc\n")
    }

    @Test func whatAnOutputThatBlocksHasNotTakenIsCounted() async throws {
        let (writes, begun) = AsyncStream.makeStream(of: Void.self)
        let reader = DispatchSemaphore(value: 0)
        let output = OutputThread(Backlog()) { bytes in
            begun.yield()
            reader.wait()
            return OutputResult(byteCount: bytes.readableBytes)
        }
        try output.start(name: "test")
        output.update { $0.append("in work") }
        _ = await writes.first { true }
        output.update { backlog in ["waits", "waits as well"].forEach { backlog.append($0) } }
        #expect(await output.close(within: .milliseconds(1)) == 3)
        reader.signal()
    }

    @Test func linesAreDiscardedOnceTheReaderHasGone() async throws {
        let (losses, loss) = AsyncStream.makeStream(of: Bool.self)
        let output = OutputThread(Backlog()) { _ in OutputResult(byteCount: 0, failure: .closed) }
        try output.start(name: "test", written: { failure, _ in loss.yield(failure == .closed) })
        output.update { $0.append("a") }
        _ = await losses.first { $0 }
        let isTaken = output.update { $0.append("b") } != nil
        #expect(output.hasLostReader && !isTaken)
        #expect(await output.close(within: Self.patience) == 0)
    }
}
