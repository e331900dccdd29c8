import Dispatch
import Glibc
import GlyphwireProtocol
import Logging
import NIOConcurrencyHelpers
import NIOCore
import SystemSupport
import TestSupport
import Testing

@testable import GlyphwireServer

@Suite(.timeLimit(.minutes(1))) struct LogOutputTests {
    /// More than a pipe holds, so that it takes a line in parts.
    private static let letterCount = 1 << 17
    private static let lineCount = 4
    /// More than the time limit of a test.
    private static let patience = Duration.seconds(120)

    private static func offThePool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }

    /// The next lines, as many as there are in the log.
    private static func lines(from descriptor: Int32) -> [String] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        var missing = Self.lineCount
        while missing > 0 {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            missing -= chunk[..<count].count { $0 == UInt8(ascii: "\n") }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func linesOfSeveralThreadsAreWholeInAPipeThatDoesNotBlock() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, descriptor) = (ends[0], ends[1])
        defer { for end in [input, descriptor] { close(end) } }
        try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let output = try LogOutput(format: .text, grace: Self.patience) {
            OutputResult(byteCount: DescriptorOutput.writeAll($0, to: descriptor).byteCount)
        }
        let logger = output.logger(level: .info)
        let texts = (0..<Self.lineCount).map { String(repeating: "\($0)", count: Self.letterCount) }
        async let written: Void = Self.offThePool {
            DispatchQueue.concurrentPerform(iterations: texts.count) { logger.info("\(texts[$0])") }
        }
        let lines = await Self.offThePool { Self.lines(from: input) }
        await written
        await Self.offThePool { output.close() }
        #expect(lines.compactMap { $0.split(separator: " ").last.map(String.init) }.sorted() == texts)
    }

    @Test(arguments: LogFormat.allCases)
    func aLogThatIsNotReadHoldsNothingUpAndSaysHowMuchIsLost(format: LogFormat) async throws {
        let reader = Gate()
        let written = NIOLockedValueBox(ByteBuffer())
        let output = try LogOutput(format: format, grace: Self.patience) { bytes in
            reader.wait()
            _ = written.withLockedValue { $0.writeImmutableBuffer(bytes) }
            return OutputResult(byteCount: bytes.readableBytes)
        }
        let logger = output.logger(level: .info)
        let text = String(repeating: "x", count: 1000)
        // Five times what may wait.
        for _ in 0..<5000 { logger.info("\(text)") }
        reader.open()
        await Self.offThePool { output.close() }
        let lines = written.withLockedValue { String(buffer: $0) }.split(separator: "\n")
        let notice = try #require(lines.last)
        let lost = try #require(notice.firstMatch(of: /lost"?[=:]([0-9]+)/).flatMap { Int($0.1) })
        #expect(notice.contains("lines are lost"))
        #expect(lines.dropLast().allSatisfy { $0.contains(text) })
        #expect(lines.count - 1 + lost == 5000 && lost > 2000)
    }

    @Test func aLogThatIsNotReadDoesNotKeepTheProgramFromEnding() async throws {
        let reader = Gate()
        let output = try LogOutput(format: .text, grace: .milliseconds(10)) { bytes in
            reader.wait()
            return OutputResult(byteCount: bytes.readableBytes)
        }
        output.logger(level: .info).info("not read")
        await Self.offThePool { output.close() }
        reader.open()
    }

    @Test func whatAFullDiskHasLostIsCountedAndTheLineThatItCutIsCompleted() async throws {
        let (writes, begun) = AsyncStream.makeStream(of: Void.self)
        let written = NIOLockedValueBox(ByteBuffer())
        // Of the first lines, two bytes; nothing of the next; then everything.
        let room = NIOLockedValueBox([2, 0])
        let output = try LogOutput(format: .text, grace: Self.patience) { bytes in
            let count = room.withLockedValue { $0.isEmpty ? bytes.readableBytes : $0.removeFirst() }
            _ = written.withLockedValue { $0.writeBytes(bytes.readableBytesView.prefix(count)) }
            begun.yield()
            return OutputResult(byteCount: count, failure: count < bytes.readableBytes ? .other("full") : nil)
        }
        var iterator = writes.makeAsyncIterator()
        for lines in ["one\ntwo\n", "three\n"] {
            output.write(ByteBuffer(string: lines))
            _ = await iterator.next()
        }
        output.write(ByteBuffer(string: "four\n"))
        await Self.offThePool { output.close() }
        let lines = written.withLockedValue { String(buffer: $0) }.split(separator: "\n")
        #expect(lines.prefix(2) == ["one", "four"])
        #expect(lines.count == 3 && lines[2].contains(" lost=2 "))
    }
}
