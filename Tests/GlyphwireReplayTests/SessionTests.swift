import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

@testable import GlyphwireReplay

@Suite struct SessionTests {
    private static let messages: [Message] =
        [.configure(StreamConfiguration(coordinates: .upright))] + TestSession.frames(3) + [.end()]

    private static func read(_ path: String) throws -> (messages: [Message], ending: SessionReader.Ending?) {
        var reader = try SessionReader(path: path)
        var messages: [Message] = []
        while let message = try reader.next() { messages.append(message) }
        return (messages, reader.ending)
    }

    @Test func whatIsWrittenIsRead() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("session.gws")
        var writer = try SessionWriter(path: path, apartFrom: [])
        for message in Self.messages.dropLast() { try writer.write(message) }
        try writer.finish()
        #expect(try TemporaryFolder.bytes(of: path) == TestSession.bytes(Self.messages))
        #expect(writer.byteCount == TestSession.bytes(Self.messages).count)
        #expect(writer.frameCount == 3)
        let (messages, ending) = try Self.read(path)
        #expect(messages == Self.messages)
        #expect(ending == .whole)
    }

    @Test func sessionCutAtAnyByteGivesItsWholeMessages() throws {
        let folder = try TemporaryFolder()
        let bytes = TestSession.bytes(Self.messages)
        var ends = [0]
        for message in Self.messages { ends.append((ends.last ?? 0) + 32 + message.payload.readableBytes) }
        for length in 0...bytes.count {
            let (messages, ending) = try Self.read(try folder.file("cut.gws", Array(bytes[..<length])))
            let whole = ends.lastIndex { $0 <= length } ?? 0
            #expect(messages == Array(Self.messages[..<whole]))
            #expect(ending == (ends[whole] == length ? .whole : .truncated(byteCount: length - ends[whole])))
            #expect((ending?.notice == nil) == (ends[whole] == length))
        }
    }

    @Test func damagedSessionGivesWhatIsBeforeTheDamage() throws {
        let folder = try TemporaryFolder()
        let good = TestSession.bytes(Self.messages)
        let (messages, ending) = try Self.read(try folder.file("bad.gws", good + [0, 0, 0, 3, 1, 2, 3]))
        #expect(messages == Self.messages)
        guard case .damaged(let error, let offset) = ending else { return #expect(Bool(false), "not damaged") }
        #expect(error.code == .messageTooShort && offset == good.count)
    }

    @Test func copiesOfAReaderReadOnTheirOwn() throws {
        let folder = try TemporaryFolder()
        var first = try SessionReader(path: try folder.file("session.gws", TestSession.bytes(Self.messages)))
        _ = try first.next()
        var second = first
        #expect(try first.next() == Self.messages[1])
        #expect(try first.next() == Self.messages[2])
        #expect(try second.next() == Self.messages[1])
    }

    @Test func aFeedGivesEveryMessage() async throws {
        let folder = try TemporaryFolder()
        let large = (1...20).map { sequence in
            Message.frame(jpeg: ByteBuffer(repeating: UInt8(sequence), count: 300_000), sequence: UInt64(sequence))
        }
        let path = try folder.file("session.gws", TestSession.bytes(large))
        var feed = SessionFeed(WindowedReader(try SessionReader(path: path), window: SessionWindow()))
        var messages: [Message] = []
        while let message = try await feed.next() { messages.append(message) }
        #expect(messages == large)
        #expect(feed.ending == .whole)
        #expect(try await feed.next() == nil)
    }

    @Test func aMissingSessionIsReported() {
        #expect(throws: ReplayError(.unreadable, "")) { try SessionReader(path: "/nowhere/session.gws") }
        #expect(throws: ReplayError(.unwritable, "")) { try SessionWriter(path: "/nowhere/session.gws", apartFrom: []) }
    }

    @Test func aMessageThatNoServerTakesIsNotWritten() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("session.gws")
        var writer = try SessionWriter(path: path, apartFrom: [], limits: WireLimits(maxMessageBytes: 28))
        #expect(throws: ReplayError(.badPicture, "")) { try writer.write(Self.messages[1]) }
        try writer.keep()
        #expect(try TemporaryFolder.bytes(of: path) == [])
    }
}
