import Dispatch
import Glibc
import Logging
import Testing

@testable import GlyphwireServer

@Suite(.timeLimit(.minutes(1))) struct LogOutputTests {
    /// More than a pipe holds, so that it takes a line in parts.
    private static let letterCount = 1 << 17
    private static let lineCount = 4

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
        let output = LogOutput(descriptor: descriptor)
        let logger = Logger(label: "test") { StreamLogHandler(label: $0, stream: output) }
        let texts = (0..<Self.lineCount).map { String(repeating: "\($0)", count: Self.letterCount) }
        async let written: Void = Self.offThePool {
            DispatchQueue.concurrentPerform(iterations: texts.count) { logger.info("\(texts[$0])") }
        }
        let lines = await Self.offThePool { Self.lines(from: input) }
        await written
        #expect(lines.compactMap { $0.split(separator: " ").last.map(String.init) }.sorted() == texts)
    }
}
