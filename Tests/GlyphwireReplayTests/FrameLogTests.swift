import GlyphwireProtocol
import Testing

@testable import GlyphwireReplay

@Suite struct FrameLogTests {
    private static func frame(_ status: FrameStatus) -> FrameRecord {
        let now = ContinuousClock.now
        return FrameRecord(
            stream: 0,
            sequence: 7,
            recordedSequence: 7,
            status: status,
            dueAt: now,
            sentAt: now,
            endedAt: now
        )
    }

    @Test func aStatusOfAForeignServerIsOneFieldOfOneRow() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("frames.csv")
        let log = try FrameLog(path: path, apartFrom: [], startsAt: .now)
        log.write(Self.frame(FrameStatus(FrameResult.Outcome.other(status: "a,\"b\"\n"))), isMeasured: true)
        log.write(Self.frame(FrameStatus("a,\u{301}b\"\u{301}")), isMeasured: true)
        try log.finish()
        let rows = try TemporaryFolder.text(of: path).split(separator: "\n")
        #expect(rows.count == 3)
        #expect(rows.last?.hasPrefix("1,7,1,\"a,\u{301}b\"\"\u{301}\",,0.") == true)
        #expect(rows.dropFirst().first?.hasPrefix("1,7,1,\"a,\"\"b\"\"\u{FFFD}\",,0.") == true)
    }

    @Test func anErrorInWritingIsThrownAtTheEnd() throws {
        let log = try FrameLog(path: "/dev/full", apartFrom: [], startsAt: .now)
        for _ in 0..<10_000 { log.write(Self.frame(.ok), isMeasured: true) }
        #expect(throws: ReplayError(.unwritable, "")) { try log.finish() }
    }
}
