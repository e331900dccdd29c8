import ImageCodecs
import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

@testable import GlyphwireReplay

@Suite struct SessionEditorTests {
    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
    }

    private static func configure(_ client: String) -> Message {
        .configure(StreamConfiguration(client: client))
    }

    private func session(_ name: String, _ messages: [Message]) throws -> String {
        try self.folder.file(name, TestSession.bytes(messages))
    }

    private func messages(_ path: String) throws -> [Message] {
        var reader = try SessionReader(path: path)
        var messages: [Message] = []
        while let message = try reader.next() { messages.append(message) }
        #expect(reader.ending == .whole)
        return messages
    }

    @Test func aCutHasTheFramesOfItsTimeAndTheOptionsInForceThere() throws {
        let frames = TestSession.frames(10)
        let (a, b) = (Self.configure("a"), Self.configure("b"))
        let input = try self.session("in.gws", [a] + frames[..<3] + [b, .ping()] + frames[3...] + [.end()])
        let output = try self.folder.file("out.gws")
        let window = SessionWindow(start: .milliseconds(400), until: .milliseconds(700))
        let summary = try SessionEditor.cut(input, window: window, to: output)
        #expect(try self.messages(output) == [b] + frames[4..<7] + [.end()])
        #expect(summary.frames == 3)
        #expect(summary.notices == [])
    }

    @Test func aCutByFramesCountsFromOne() throws {
        let frames = TestSession.frames(5)
        let input = try self.session("in.gws", frames)
        let output = try self.folder.file("out.gws")
        _ = try SessionEditor.cut(input, window: SessionWindow(frames: 2...3), to: output)
        #expect(try self.messages(output) == frames[1...2] + [.end()])
        #expect(throws: ReplayError(.notASession, "")) {
            try SessionEditor.cut(input, window: SessionWindow(frames: 6...9), to: output)
        }
    }

    @Test func aSessionIsNotCutIntoItself() throws {
        let input = try self.session("in.gws", TestSession.frames(1))
        #expect(throws: ReplayError(.unwritable, "")) {
            try SessionEditor.cut(input, window: SessionWindow(), to: "\(self.folder.path)/./in.gws")
        }
        #expect(try self.messages(input).count == 1)
    }

    @Test func aTruncatedSessionIsCutUpToItsLastWholeMessageAndReported() throws {
        let bytes = TestSession.bytes(TestSession.frames(3)).dropLast()
        let input = try self.folder.file("in.gws", Array(bytes))
        let output = try self.folder.file("out.gws")
        let summary = try SessionEditor.cut(input, window: SessionWindow(), to: output)
        #expect(summary.frames == 2)
        #expect(summary.notices.first?.contains("cut off") == true)
    }

    @Test func mergedSessionsGoOnInNumbersAndTimesWithTheirOwnOptions() throws {
        let first = try self.session("1.gws", [Self.configure("a")] + TestSession.frames(2) + [.end()])
        let second = try self.session("2.gws", TestSession.frames(2, gap: .milliseconds(50)) + [.end()])
        let output = try self.folder.file("out.gws")
        let summary = try SessionEditor.merge([first, second], to: output)
        let merged = try self.messages(output)
        #expect(summary.frames == 4)
        #expect(merged.map(\.header.type) == [2, 1, 1, 2, 1, 1, 4])
        #expect(merged[3].payload.readableBytes == 0)
        let frames = merged.filter { $0.header.type == 1 }
        #expect(frames.map(\.header.sequence) == [1, 2, 3, 4])
        #expect(frames.map(\.header.capturedMicroseconds) == [1_100_000, 1_200_000, 1_300_000, 1_350_000])
    }

    @Test func aSessionThatAddsNothingIsReported() throws {
        let input = try self.session("in.gws", TestSession.frames(2))
        let empty = try self.session("empty.gws", [])
        let summary = try SessionEditor.merge([input, empty], to: try self.folder.file("out.gws"))
        #expect(summary.frames == 2)
        #expect(summary.notices == ["\(empty) holds no whole frame, and is left out"])
    }

    @Test func framesAreExportedAsTheyWereSent() throws {
        var pixels = PixelBuffer(width: 5, height: 3, format: .bgra)
        pixels.withMutableBytes { bytes in for index in bytes.indices { bytes[index] = UInt8(index * 3 | 1) } }
        let raw = Message(
            header: MessageHeader(type: .frame, format: .bgra, width: 5, height: 3, payloadByteCount: 60),
            payload: ByteBuffer(bytes: pixels.bytes)
        )
        let broken = Message(
            header: MessageHeader(type: .frame, format: .bgra, width: 5, height: 3, payloadByteCount: 1),
            payload: ByteBuffer(bytes: [1])
        )
        let input = try self.session("in.gws", TestSession.frames(1) + [raw, broken])
        let output = try self.folder.file("pictures")
        let summary = try SessionEditor.export(input, window: SessionWindow(), to: output)
        #expect(try TemporaryFolder.names(in: output) == ["frame-000001.jpg", "frame-000002.png"])
        #expect(try TemporaryFolder.bytes(of: "\(output)/frame-000001.jpg") == [1])
        let picture = try PictureFile(path: "\(output)/frame-000002.png").picture()
        #expect((picture.pixels.width, picture.pixels.height) == (5, 3))
        #expect(summary.frames == 2)
        #expect(summary.notices.count == 1)
        #expect(summary.notices.first?.hasPrefix("frame 3 is left out: ") == true)
    }

    @Test func exportedFilesHaveTheNumbersOfTheirFramesInTheSession() throws {
        let input = try self.session("in.gws", [Self.configure("a")] + TestSession.frames(4))
        let output = try self.folder.file("pictures")
        _ = try SessionEditor.export(input, window: SessionWindow(frames: 2...3), to: output)
        #expect(try TemporaryFolder.names(in: output) == ["frame-000002.jpg", "frame-000003.jpg"])
    }

    @Test func infoSummarizesASessionAndHidesTokens() throws {
        let gray = Message(
            header: MessageHeader(
                type: .frame,
                format: .gray,
                orientation: 6,
                capturedMicroseconds: 1_900_000,
                width: 8,
                height: 4,
                payloadByteCount: 32
            ),
            payload: ByteBuffer(repeating: 0, count: 32)
        )
        let options = Message.configure(StreamConfiguration(token: "s3cret"))
        let path = try self.session("in.gws", [options] + TestSession.frames(3) + [gray, .ping(), .end()])
        let info = try SessionInfo(path: path)
        #expect(info.frames == 4)
        #expect(info.shortestGapMs == 100)
        #expect(info.longestGapMs == 600)
        #expect(abs(info.durationSeconds - 1.4) < 1e-9)
        #expect(info.otherMessages == ["configure": 1, "ping": 1, "end": 1])
        #expect(info.kinds.map(\.frames) == [3, 1])
        #expect(info.text.contains("1 gray 8x4, orientation 6, 32 bytes each"))
        #expect(!info.text.contains("s3cret"))
        #expect(try !info.json().contains("s3cret"))
    }
}
