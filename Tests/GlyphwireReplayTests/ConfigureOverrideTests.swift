import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

@testable import GlyphwireReplay

@Suite struct ConfigureOverrideTests {
    private static func configure(_ body: String) -> Message {
        Message(
            header: MessageHeader(type: .configure, sequence: 4, payloadByteCount: 0),
            payload: ByteBuffer(string: body)
        )
    }

    @Test func nothingLeavesAMessageByteForByte() throws {
        let message = Self.configure("{ \"level\" : \"fast\", \"future\": 1}")
        #expect(try ConfigureOverride().applied(to: message) == message)
        #expect(try ConfigureOverride().message() == nil)
    }

    @Test func anOptionTakesThePlaceOfTheSessionsOwn() throws {
        let override = ConfigureOverride(["level": .string("accurate"), "candidates": .integer(3)])
        let message = try override.applied(
            to: Self.configure("{\"level\":\"fast\",\"recognize\":false,\"languages\":[\"en\"]}")
        )
        #expect(
            String(buffer: message.payload)
                == "{\"candidates\":3,\"languages\":[\"en\"],\"level\":\"accurate\",\"recognize\":false}"
        )
        #expect(message.header.sequence == 4)
        #expect(message.header.payloadByteCount == message.payload.readableBytes)
    }

    @Test func onlyTheGivenOptionsAreSentForASessionWithoutOptions() throws {
        let message = try #require(try ConfigureOverride(["token": .string("a\"b")]).message())
        #expect(String(buffer: message.payload) == "{\"token\":\"a\\\"b\"}")
        #expect(try StreamConfiguration(json: message.payload).token == "a\"b")
    }

    @Test(arguments: ["[1]", "{", "7"])
    func aBodyThatIsNoObjectCannotBeChanged(body: String) {
        #expect(throws: ReplayError(.badConfiguration, "")) {
            try ConfigureOverride(["level": .string("fast")]).applied(to: Self.configure(body))
        }
    }
}
