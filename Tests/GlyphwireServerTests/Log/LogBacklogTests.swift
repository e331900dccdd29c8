import NIOCore
import Testing

@testable import GlyphwireServer

@Suite struct LogBacklogTests {
    private static func backlog() -> LogBacklog { LogBacklog { ByteBuffer(string: "lost \($0)\n") } }

    private static func append(_ lines: [String], to backlog: inout LogBacklog) {
        for line in lines { backlog.append(ByteBuffer(string: "\(line)\n")) }
    }

    private static func take(from backlog: inout LogBacklog) -> [String] {
        String(buffer: backlog.takeLines()).split(separator: "\n").map(String.init)
    }

    @Test func aNoticeThatIsLostItselfIsWrittenAgainWithAllThatItCounts() {
        var backlog = Self.backlog()
        Self.append(["a", "b", "c"], to: &backlog)
        #expect(Self.take(from: &backlog) == ["a", "b", "c"])
        backlog.lost(2)
        #expect(Self.take(from: &backlog) == [], "a notice alone wakes nobody")
        Self.append(["d", "e"], to: &backlog)
        #expect(Self.take(from: &backlog) == ["d", "e", "lost 2"])
        backlog.lost(2)
        Self.append(["f"], to: &backlog)
        #expect(Self.take(from: &backlog) == ["f", "lost 3"])
        backlog.lost(0)
        Self.append(["g"], to: &backlog)
        #expect(Self.take(from: &backlog) == ["g"])
    }

    @Test func noLineComesBeforeOneThatFoundNoRoom() {
        var backlog = Self.backlog()
        let long = String(repeating: "x", count: 1 << 20)
        Self.append([long, "a", "b"], to: &backlog)
        #expect(Self.take(from: &backlog) == [long, "lost 2"])
        Self.append(["c"], to: &backlog)
        #expect(Self.take(from: &backlog) == ["c"])
    }
}
