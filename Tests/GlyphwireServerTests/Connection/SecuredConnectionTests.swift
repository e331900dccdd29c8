import Foundation
import GlyphwireProtocol
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOSSL
import TestSupport
import Testing

@testable import GlyphwireServer

/// The handlers of a connection with TLS, without sockets.
@Suite(.timeLimit(.minutes(1))) final class SecuredConnectionTests {
    /// Holds back writes while it is stuck, like a socket whose client does not read.
    private final class StuckOutput: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer
        let isStuck = NIOLockedValueBox(false)

        func flush(context: ChannelHandlerContext) {
            if !self.isStuck.withLockedValue(\.self) { context.flush() }
        }
    }

    private let folder: URL
    private let address: SocketAddress

    init() async throws {
        self.address = try SocketAddress(ipAddress: "192.0.2.7", port: 7411)
        self.folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        try await self.runOpenSSL([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-keyout", self.path("key"), "-out", self.path("certificate"),
        ])
    }

    deinit { try? FileManager.default.removeItem(at: self.folder) }

    private func path(_ name: String) -> String { self.folder.appending(path: name).path() }

    private func runOpenSSL(_ arguments: [String]) async throws {
        let openssl = try #require(Program.system("openssl"), "openssl is needed: apt-get install openssl")
        let outcome = await (try Program(openssl, arguments)).wait()
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    private func core(_ configure: (inout ServerConfiguration) -> Void) throws -> ServerComponents {
        var configuration = ServerConfiguration()
        configuration.tls = TLSFiles(certificate: self.path("certificate"), key: self.path("key"))
        configure(&configuration)
        let core = ServerComponents(configuration: configuration, engine: StubEngine(), logger: .silent)
        try core.tls.reload()
        return core
    }

    /// A new connection to a server.
    private func connection(
        _ core: ServerComponents,
        behind handlers: [any ChannelHandler & Sendable] = []
    ) async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandlers(handlers)
            try ConnectionFactory(core).install(on: channel)
        }
        try await channel.connect(to: self.address)
        return channel
    }

    /// Passes on what each side has sent, until neither sends any more.
    private func exchange(_ client: NIOAsyncTestingChannel, _ server: NIOAsyncTestingChannel) async throws {
        var hasMoved = true
        while hasMoved {
            hasMoved = false
            for (from, to) in [(client, server), (server, client)] {
                while let bytes = try await from.readOutbound(as: ByteBuffer.self) {
                    try await to.writeInbound(bytes)
                    hasMoved = true
                }
            }
        }
    }

    /// A client that has received the `hello`.
    private func client(of server: NIOAsyncTestingChannel) async throws -> NIOAsyncTestingChannel {
        let client = NIOAsyncTestingChannel()
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        let context = try NIOSSLContext(configuration: configuration)
        try await client.testingEventLoop.executeInContext {
            let handler = try NIOSSLClientHandler(context: context, serverHostname: nil)
            try client.pipeline.syncOperations.addHandler(handler)
        }
        try await client.connect(to: self.address)
        try await self.exchange(client, server)
        let hello = try #require(try await client.readInbound(as: ByteBuffer.self))
        #expect(try ServerLine(json: hello).summary == "hello")
        return client
    }

    @Test func anEncryptedKeyIsRefusedWithTheRemedy() async throws {
        try await self.runOpenSSL([
            "pkey", "-in", self.path("key"), "-aes256", "-passout", "pass:secret", "-out", self.path("encrypted"),
        ])
        let encrypted = TLSFiles(certificate: self.path("certificate"), key: self.path("encrypted"))
        let refusal = #expect(throws: GlyphwireServerError.self) { try encrypted.context() }
        let message = "holds no unencrypted private key in PEM; decrypt it with `openssl pkey`."
        #expect(refusal?.message == "The file \(self.path("encrypted")) \(message)")
    }

    @Test func theEndOfTheGraceWaitsForNoClientToEndTLS() async throws {
        let core = try self.core { _ in }
        let server = try await self.connection(core)
        let client = try await self.client(of: server)
        core.connections.closeAll()
        await server.testingEventLoop.run()
        #expect(!server.isActive)
        #expect(client.isActive)
    }

    @Test func aClientThatTakesNoLinesIsNoticedHoweverManyFollow() async throws {
        let output = StuckOutput()
        let server = try await self.connection(
            try self.core { $0.limits.slowReaderTime = .seconds(60) },
            behind: [output]
        )
        let client = try await self.client(of: server)
        output.isStuck.withLockedValue { $0 = true }
        for sequence in UInt64(1)...3 {
            try await client.writeOutbound(Message.ping(sequence: sequence).bytes)
            try await self.exchange(client, server)
            await server.testingEventLoop.advanceTime(by: .seconds(20))
        }
        #expect(server.isActive)
        // The time for the last line; the end of TLS gets none of its own.
        await server.testingEventLoop.advanceTime(by: .seconds(2))
        #expect(!server.isActive)
    }

    @Test func aConnectionCountsBeforeItsFirstByte() async throws {
        let core = try self.core { $0.limits.maxConnections = 1 }
        let silent = try await self.connection(core)
        #expect { try core.limiter.admit("192.0.2.8") } throws: { ($0 as? WireError)?.code == .tooManyConnections }
        let refused = try await self.connection(core)
        let closed = try await self.connection(core)
        #expect(refused.isActive, "it is told of its refusal behind the hello")
        #expect(!closed.isActive)
        for channel in [silent, refused] { try await channel.close() }
        try core.limiter.admit("192.0.2.8")
        try core.refusedLimiter.admit("192.0.2.8")
    }

    @Test func aRefusedClientThatNeverCompletesItsHandshakeIsClosed() async throws {
        let core = try self.core { $0.limits.maxConnections = 1 }
        let first = try await self.connection(core)
        let refused = try await self.connection(core)
        try await refused.writeInbound(ByteBuffer(bytes: [0x16]))
        #expect(refused.isActive)
        await refused.testingEventLoop.advanceTime(by: .seconds(10))
        #expect(!refused.isActive)
        // Its place is free again.
        try core.refusedLimiter.admit("192.0.2.8")
        try await first.close()
    }
}
