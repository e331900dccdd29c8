import GlyphwireServer
import NIOCore
import NIOEmbedded
import Testing

@testable import GlyphwireHTTP

@Suite struct HTTPConnectionsTests {
    /// Keeps a channel open, as TLS does until its client has answered.
    private final class Unanswered: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {}
    }

    @Test func theEndOfTheGraceWaitsForNoClientToEndTLS() async throws {
        let connections = HTTPConnections(maxConnections: 4)
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandlers([WriteStallHandler(timeout: .seconds(60)), Unanswered()])
        }
        try await channel.connect(to: try SocketAddress(ipAddress: "192.0.2.7", port: 7412))
        connections.accept(channel)
        connections.closeAll()
        await channel.testingEventLoop.run()
        #expect(!channel.isActive)
    }
}
