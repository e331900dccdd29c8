import GlyphwireProtocol
import NIOCore
import TestSupport
import Testing

@testable import GlyphwireServer

/// The PROXY protocol, byte for byte and over real sockets.
@Suite(.timeLimit(.minutes(2))) struct ProxyTests {
    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// 192.0.2.7, to 127.0.0.1.
    private static let version4 = signature + [0x21, 0x11, 0, 12, 192, 0, 2, 7, 127, 0, 0, 1, 0xC0, 0x00, 0x1C, 0xF3]
    /// 2001:db8::7, followed by an extension of three bytes.
    private static let version6 =
        signature + [0x21, 0x21, 0, 39, 0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
        + [UInt8](repeating: 0, count: 15) + [1, 0xC0, 0x00, 0x1C, 0xF3, 4, 0, 0]
    private static let local = signature + [0x20, 0x00, 0, 0]

    static let good: [(bytes: [UInt8], address: String?)] = [
        (version4, "192.0.2.7"), (version6, "2001:db8::7"), (local, nil), (signature + [0x21, 0x31, 0, 2, 1, 2], nil),
        (Array("PROXY TCP4 192.0.2.7 127.0.0.1 49152 7411\r\n".utf8), "192.0.2.7"),
        (Array("PROXY TCP6 2001:db8::7 ::1 49152 7411\r\n".utf8), "2001:db8::7"),
        (Array("PROXY UNKNOWN\r\n".utf8), nil), (Array("PROXY UNKNOWN what ever\r\n".utf8), nil),
    ]

    @Test(arguments: good.indices)
    func aHeaderIsReadWhereverItIsSplit(index: Int) throws {
        let (bytes, address) = Self.good[index]
        for count in 0..<bytes.count {
            var start = ByteBuffer(bytes: bytes[..<count])
            #expect(try ProxyHeader.next(in: &start) == nil)
            #expect(start.readableBytes == count)
        }
        var whole = ByteBuffer(bytes: bytes + [1, 2, 3])
        let header = try #require(try ProxyHeader.next(in: &whole))
        #expect(header.client?.ipAddress == address)
        #expect(Array(whole.readableBytesView) == [1, 2, 3])
    }

    static let bad: [[UInt8]] = [
        [0], Array("GET / HTTP/1.1\r\n".utf8), [0x0D, 0x0A, 0x0D, 0x0B], signature + [0x11, 0x11, 0, 12],
        signature + [0x22, 0x11, 0, 12], signature + [0x21, 0x11, 0xFF, 0xFF], signature + [0x21, 0x11, 0, 3, 1, 2, 3],
        signature + [0x21, 0x21, 0, 12] + [UInt8](repeating: 0, count: 12), Array("PROXY TCP4\r\n".utf8),
        Array("PROXY TCP4 nowhere 127.0.0.1 1 2\r\n".utf8), Array("PROXY TCP4 192.0.2.7 127.0.0.1 70000 2\r\n".utf8),
        Array("PROXY \n".utf8), [UInt8]("PROXY TCP4 ".utf8) + [UInt8](repeating: 0x31, count: 200),
    ]

    @Test(arguments: bad.indices)
    func whatIsNoHeaderIsRefused(index: Int) {
        var bytes = ByteBuffer(bytes: Self.bad[index])
        #expect { try ProxyHeader.next(in: &bytes) } throws: { ($0 as? WireError)?.code == .wrongProtocol }
    }

    @Test func limitsCountTheClientsBehindTheProxy() async throws {
        try await TestServer.run({
            $0.isBehindProxy = true
            $0.limits.maxConnectionsPerAddress = 1
        }) { server in
            var clients: [TestClient] = []
            for (header, answer) in [
                (Self.version4, "1: 1"), (Self.version6, "1: 1"), (Self.version4, "too_many_connections -"),
            ] {
                let client = try await TestClient.connect(port: server.port)
                try await client.send(ByteBuffer(bytes: header + Message.gray(1).bytes.readableBytesView))
                #expect(try await client.nextLine()?.summary == "hello")
                #expect(try await client.nextLine()?.summary == answer)
                clients.append(client)
            }
            for client in clients { try await client.close() }
        }
    }

    @Test func aHeaderInSingleBytesIsTaken() async throws {
        try await TestServer.run({ $0.isBehindProxy = true }) { server in
            let client = try await TestClient.connect(port: server.port)
            for byte in Self.version4 { try await client.send(ByteBuffer(bytes: [byte])) }
            #expect(try await client.nextLine()?.summary == "hello")
            try await client.send([Message.gray(1), .end()].bytes)
            #expect(try await client.remainingLines().map(\.summary) == ["1: 1", "end 0 after 1"])
        }
    }

    @Test func aConnectionWithoutAHeaderGetsAnErrorAndIsClosed() async throws {
        try await TestServer.run({
            $0.isBehindProxy = true
            $0.limits.firstMessageTime = .milliseconds(200)
        }) { server in
            for bytes in [Message.gray(1).bytes, ByteBuffer()] {
                let client = try await TestClient.connect(port: server.port)
                if bytes.readableBytes > 0 { try await client.send(bytes) }
                #expect(try await client.remainingLines().map(\.summary) == ["wrong_protocol -"])
                try await client.close()
            }
        }
    }
}
