import GlyphwireProtocol
import Logging
import NIOConcurrencyHelpers
import NIOCore
import SystemSupport
import Testing
import TextModel

@testable import TextEvents

/// Output that is ready when a test says so, and takes the number of bytes that it says.
private final class FakeOutput: Sendable {
    private let results = NIOLockedValueBox<[OutputResult]>([])
    private let written = NIOLockedValueBox(ByteBuffer())
    /// One element for each write that has begun.
    let writes: AsyncStream<Int>
    private let begun: AsyncStream<Int>.Continuation

    init(_ results: [OutputResult]) {
        (self.writes, self.begun) = AsyncStream.makeStream()
        self.results.withLockedValue { $0 = results }
    }

    var text: String { self.written.withLockedValue { String(buffer: $0) } }

    func write(_ bytes: ByteBuffer) -> OutputResult {
        let result = self.results.withLockedValue { results in
            results.isEmpty ? OutputResult(byteCount: bytes.readableBytes) : results.removeFirst()
        }
        _ = self.written.withLockedValue { written in
            written.writeImmutableBuffer(bytes.getSlice(at: bytes.readerIndex, length: result.byteCount)!)
        }
        self.begun.yield(bytes.readableBytes)
        return result
    }
}

struct EventLinesTests {
    private static let source = EventSource(name: "gate", patterns: [], regions: [])

    private static func report(_ reason: String) -> EventReport {
        let event = TextEvent(.offline(reason), source: "gate", time: .wall(microseconds: 0))
        return EventReport(events: [event], texts: [], source: self.source)
    }

    private static func line(_ reason: String) -> String {
        String(buffer: self.report(reason).events[0].json(of: self.source)) + "\n"
    }

    private static func lines(to output: FakeOutput) throws -> EventLines {
        try EventLines(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, write: output.write)
    }

    @Test(arguments: [
        // The number of bytes of the second line that are taken, and whether it is lost.
        (0, true), (1, false), (10, false),
    ])
    func linesStayWholeWhereTheOutputTakesAPart(taken: Int, isLost: Bool) async throws {
        let output = FakeOutput([
            OutputResult(byteCount: Self.line("a").utf8.count),
            OutputResult(byteCount: taken, failure: .other("full")),
            OutputResult(byteCount: 0, failure: .other("full")),
        ])
        let lines = try Self.lines(to: output)
        var writes = output.writes.makeAsyncIterator()
        for reason in ["a", "b", "c", "d"] {
            lines.send(Self.report(reason))
            _ = await writes.next()
        }
        #expect(await lines.close() == (isLost ? 2 : 1), "those that were not taken before the output was ready again")
        let kept = isLost ? ["a", "d"] : ["a", "b", "d"]
        #expect(output.text == kept.map(Self.line).joined())
    }

    @Test(arguments: [
        // Whether the output stays full, and how many lines it does not take.
        (true, 3), (false, 2),
    ])
    func whatAFullOutputHasLostIsCountedAndItsBegunLineEndsIfItCan(isFull: Bool, lost: Int) async throws {
        let full = OutputResult(byteCount: 0, failure: .other("full"))
        let begun = OutputResult(byteCount: 5, failure: .other("full"))
        let output = FakeOutput([begun, full, full] + (isFull ? [full] : []))
        let lines = try Self.lines(to: output)
        var writes = output.writes.makeAsyncIterator()
        for reason in ["a", "b", "c"] {
            lines.send(Self.report(reason))
            _ = await writes.next()
        }
        #expect(await lines.close() == lost)
        #expect(output.text == (isFull ? String(Self.line("a").prefix(5)) : Self.line("a")))
    }

    @Test
    func nothingIsWrittenOnceTheReaderHasGone() async throws {
        let output = FakeOutput([OutputResult(byteCount: 0, failure: .closed)])
        let (losses, loss) = AsyncStream.makeStream(of: Void.self)
        let lines = try EventLines(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            onReaderLost: { loss.yield() },
            write: output.write
        )
        lines.send(Self.report("a"))
        _ = await losses.first { true }
        lines.send(Self.report("b"))
        #expect(await lines.close() == 0)
        #expect(lines.hasLostReader)
        #expect(output.text.isEmpty)
    }
}
