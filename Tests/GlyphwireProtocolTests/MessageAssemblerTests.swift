import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

@Suite struct MessageAssemblerTests {
    /// A frame header that announces `byteCount` bytes of payload.
    private static func header(payload byteCount: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        MessageHeader(type: .frame, format: .jpeg, payloadByteCount: byteCount).write(into: &buffer)
        return buffer
    }

    private static func message(_ payload: [UInt8], sequence: UInt64) -> Message {
        Message.frame(jpeg: ByteBuffer(payload), sequence: sequence)
    }

    @Test func everySplitGivesTheSameMessages() {
        let sent = [
            Self.message([1, 2, 3, 4, 5], sequence: 1), .ping(sequence: 2), .configure(StreamConfiguration()),
            Self.message([6], sequence: 3), .end(sequence: 4),
        ]
        let bytes = sent.flatMap(\.bytes)
        #expect(assemble([bytes]).messages == sent)
        #expect(assemble(bytes.map { [$0] }).messages == sent)
        for split in bytes.indices {
            let got = assemble([Array(bytes[..<split]), Array(bytes[split...])])
            #expect(got.messages == sent)
            #expect(got.isBetweenMessages)
        }
    }

    @Test func manyChunksMayBeAppendedBeforeTheFirstQuestion() throws {
        let sent = (0..<50).map { Self.message(Array(repeating: UInt8($0), count: $0 * 7), sequence: UInt64($0)) }
        let bytes = sent.flatMap(\.bytes)
        var assembler = MessageAssembler()
        for start in stride(from: 0, to: bytes.count, by: 13) {
            var chunk = ByteBuffer(bytes[start..<min(start + 13, bytes.count)])
            assembler.append(&chunk)
            #expect(chunk.readableBytes == 0)
        }
        for message in sent { #expect(try assembler.next() == message) }
        #expect(try assembler.next() == nil)
    }

    @Test func anEndInsideAMessageIsSeen() {
        let bytes = Self.message([1, 2, 3], sequence: 1).bytes
        #expect(assemble([]).isBetweenMessages)
        for count in 1..<bytes.count {
            #expect(!assemble([Array(bytes[..<count])]).isBetweenMessages)
        }
    }

    @Test(arguments: [28, 29, 1 << 20, 64 << 20])
    func anAnnouncementAloneReservesNothing(length: Int) throws {
        var assembler = MessageAssembler(limits: WireLimits(maxMessageBytes: 64 << 20))
        var header = Self.header(payload: length - 28)
        assembler.append(&header)
        #expect(try (assembler.next() == nil) == (length > 28))
        #expect(assembler.reservedByteCount == 0)
    }

    @Test(arguments: [0, 1, 27, 64 << 20 + 1, 1 << 31 - 1, 1 << 31, .max] as [UInt32])
    func aLengthThatCannotBeIsRefusedBeforeTheRestOfTheHeader(length: UInt32) {
        var assembler = MessageAssembler()
        var bytes = ByteBuffer(integer: length)
        assembler.append(&bytes)
        let first = wireError { () throws(WireError) in try assembler.next() }
        #expect(first?.code == (length < 28 ? .messageTooShort : .messageTooLarge))
        #expect(assembler.reservedByteCount == 0)

        // Later bytes cannot be parsed, whatever they are, and are not kept.
        var more = ByteBuffer(Message.ping().bytes)
        assembler.append(&more)
        let second = wireError { () throws(WireError) in try assembler.next() }
        #expect(second?.message == first?.message)
    }

    @Test(arguments: [0, .max] as [UInt32])
    func aWrongLengthOfTheMessageBeforeIsSuspected(length: UInt32) {
        func message(_ bytes: [UInt8]) -> String { assemble([bytes]).failure?.message ?? "" }
        let wrong = Array(ByteBuffer(integer: length).readableBytesView)
        let hint = "the length of the message before"
        #expect(message(Message.ping().bytes + wrong).contains(hint))
        #expect(!message(wrong).isEmpty && !message(wrong).contains(hint))
        #expect(!message(Message.ping().bytes + Array("GET / HTTP/1.1\r\n".utf8)).contains(hint))
    }

    @Test func memoryFollowsWhatCameAndNotWhatWasAnnounced() throws {
        var assembler = MessageAssembler(limits: WireLimits(maxMessageBytes: 64 << 20))
        var header = Self.header(payload: 64 << 20 - 28)
        assembler.append(&header)
        var received = 0
        for size in [1, 3, 4096, 1, 65536, 65536, 100_000, 7] {
            var chunk = ByteBuffer(repeating: 7, count: size)
            assembler.append(&chunk)
            #expect(try assembler.next() == nil)
            received += size
            #expect(assembler.reservedByteCount < 2 * received)
        }
    }

    @Test func theNextMessageMayReserveWhatTheLastOneTook() throws {
        var assembler = MessageAssembler()
        let size = 1 << 20
        for _ in 0..<3 {
            var first = Self.header(payload: size)
            first.writeRepeatingByte(1, count: 10)
            assembler.append(&first)
            #expect(try assembler.next() == nil)
            let reserved = assembler.reservedByteCount
            var rest = ByteBuffer(repeating: 1, count: size - 10)
            assembler.append(&rest)
            let message = try #require(try assembler.next())
            #expect(message.payload.readableBytes == size)
            #expect(message.header.sequence == 0)
            #expect(assembler.reservedByteCount == 0)
            #expect([16, size].contains(reserved))
        }
    }

    @Test func aSmallMessageDoesNotTakeTheMemoryOfALargeOne() throws {
        var assembler = MessageAssembler()
        var bytes = ByteBuffer()
        Self.message(Array(repeating: 1, count: 1 << 20), sequence: 1).write(into: &bytes)
        Self.message([1, 2, 3], sequence: 2).write(into: &bytes)
        assembler.append(&bytes)
        #expect(try assembler.next()?.payload.readableBytes == 1 << 20)
        #expect(try assembler.next()?.payload.capacity ?? .max <= 16)
    }

    @Test func aChangedLimitHoldsForTheNextMessage() throws {
        var assembler = MessageAssembler(limits: WireLimits(maxMessageBytes: 100))
        var bytes = ByteBuffer()
        Self.message(Array(repeating: 1, count: 50), sequence: 1).write(into: &bytes)
        Self.message(Array(repeating: 1, count: 500), sequence: 2).write(into: &bytes)
        assembler.append(&bytes)
        #expect(try assembler.next()?.header.sequence == 1)
        assembler.limits.maxMessageBytes = 1000
        #expect(try assembler.next()?.header.sequence == 2)
    }

    @Test func payloadsPastSixteenMebibytesComeThroughWhole() throws {
        // Beyond 16 MiB a slice of a buffer is a copy in NIO; the assembler must not depend on it.
        let size = 20 << 20
        var assembler = MessageAssembler()
        var bytes = Self.header(payload: size)
        bytes.writeRepeatingByte(9, count: size)
        Message.ping(sequence: 5).write(into: &bytes)
        assembler.append(&bytes)
        let message = try #require(try assembler.next())
        #expect(message.payload.readableBytes == size)
        #expect(message.payload.getInteger(at: size - 1, as: UInt8.self) == 9)
        #expect(try assembler.next()?.header.sequence == 5)
    }
}
