import NIOCore
import Testing

@testable import TextEvents

@Suite struct EventBacklogTests {
    private static let capacity = 1000

    /// Adds events, and returns those of which a drop is to be reported.
    private static func append(_ events: [String], isLive: Bool, to backlog: inout EventBacklog) -> [String] {
        events.filter { backlog.append(ByteBuffer(string: $0), mayBeDropped: isLive) }
    }

    private static func takeEvents(from backlog: inout EventBacklog) -> [String] {
        String(buffer: backlog.takeLines()).split(separator: "\n").map(String.init)
    }

    @Test func whereThereIsNoRoomTheOldestLiveEventIsDropped() {
        var backlog = EventBacklog()
        var reported = Self.append(["file"], isLive: false, to: &backlog)
        reported += Self.append((1..<Self.capacity).map { "live \($0)" }, isLive: true, to: &backlog)
        #expect(reported.isEmpty && !backlog.hasRoom)
        reported += Self.append(["last", "very last"], isLive: true, to: &backlog)
        #expect(reported == ["last"], "drops are reported once")
        let events = Self.takeEvents(from: &backlog)
        #expect(events.count == Self.capacity)
        #expect(events.prefix(2) == ["file", "live 3"] && events.last == "very last")
    }

    @Test func eventsOfFilesAreNeverDropped() {
        var backlog = EventBacklog()
        let files = (0..<Self.capacity + 5).map { "\($0)" }
        #expect(Self.append(files, isLive: false, to: &backlog).isEmpty)
        #expect(Self.append(["live"], isLive: true, to: &backlog) == ["live"])
        #expect(Self.takeEvents(from: &backlog) == files)
    }
}
