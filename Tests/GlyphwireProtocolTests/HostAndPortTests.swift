import GlyphwireProtocol
import NIOCore
import Testing

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("127.0.0.1", 7411, "127.0.0.1:7411"), ("::1", 42788, "[::1]:42788"),
            ("2001:db8::7:8", 0, "[2001:db8::7:8]:0"),
        ]
    )
    func anAddressOfVersion6IsInBrackets(host: String, port: Int, text: String) throws {
        #expect(String(host: host, port: port) == text)
        #expect(try SocketAddress(ipAddress: host, port: port).hostAndPort == text)
    }

    @Test func aNameIsNot() { #expect(String(host: "gate.example", port: 7411) == "gate.example:7411") }

    @Test func anAddressWithoutAHostIsUnknown() throws {
        #expect(try SocketAddress(unixDomainSocketPath: "/tmp/socket").hostAndPort == "unknown:0")
    }
}
