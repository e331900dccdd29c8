import GlyphwireProtocol
import NIOCore
import TextModel
import Testing

@testable import GlyphwireClient

@Suite struct OpeningOptionsTests {
    private static let token = StreamConfiguration(token: "secret")

    private static func hello(_ authentication: Hello.Authentication, maxUnauthenticatedBytes: Int? = nil) -> Hello {
        Hello(
            version: "0",
            authentication: authentication,
            limits: WireLimits(),
            maxUnauthenticatedBytes: maxUnauthenticatedBytes,
            levels: [.fast]
        )
    }

    private static func opening(_ options: OpeningOptions, to hello: Hello) throws -> [StreamConfiguration] {
        try options.messages(for: hello).map { try StreamConfiguration(json: $0.payload) }
    }

    @Test func withoutOptionsNothingIsSent() {
        #expect(OpeningOptions(nil).messages(for: Self.hello(.token)).isEmpty)
    }

    @Test func aTokenThatLaterOptionsLackGoesAloneToServersThatAskForIt() throws {
        var options = OpeningOptions(Self.token)
        #expect(try Self.opening(options, to: Self.hello(.token)) == [Self.token])
        let later = StreamConfiguration(client: "test")
        options.accepted(later)
        #expect(try Self.opening(options, to: Self.hello(.none)) == [later])
        #expect(try Self.opening(options, to: Self.hello(.token)) == [Self.token, later])
        let other = StreamConfiguration(token: "other")
        options.accepted(other)
        #expect(try Self.opening(options, to: Self.hello(.token)) == [other])
        options.accepted(later)
        #expect(try Self.opening(options, to: Self.hello(.token)) == [other, later])
    }

    /// Any other option, such as a level that the server does not have, could be refused with it.
    @Test func theTokenAloneSetsNoOption() throws {
        var options = OpeningOptions(Self.token)
        options.accepted(StreamConfiguration(client: "test"))
        let first = try #require(options.messages(for: Self.hello(.token)).first)
        #expect(String(buffer: first.payload) == #"{"token":"secret"}"#)
    }

    @Test func aTokenGoesAloneBeforeOptionsThatAreTooLongWithoutIt() throws {
        let long = StreamConfiguration(token: "secret", client: "test")
        let options = OpeningOptions(long)
        let length = MessageHeader.length(ofPayload: long.json().readableBytes)
        let enough = Self.hello(.token, maxUnauthenticatedBytes: length)
        #expect(try Self.opening(options, to: enough) == [long])
        let less = Self.hello(.token, maxUnauthenticatedBytes: length - 1)
        #expect(try Self.opening(options, to: less) == [Self.token, long])
        let none = Self.hello(.none, maxUnauthenticatedBytes: length - 1)
        #expect(try Self.opening(options, to: none) == [long])
    }
}
