import GlyphwireProtocol
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import TextEvents

/// Answers requests with 200, the first ones once the test says so.
private final class AcceptingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let accepted: NIOLockedValueBox<Int>
    private let opened: EventLoopFuture<Void>
    private var received = ""

    init(_ accepted: NIOLockedValueBox<Int>, opened: EventLoopFuture<Void>) {
        (self.accepted, self.opened) = (accepted, opened)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.received += String(buffer: self.unwrapInboundIn(data))
        guard let end = self.received.firstRange(of: "\r\n\r\n"),
            let length = self.received.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap({ Int($0.1) }),
            self.received[end.upperBound...].utf8.count >= length
        else { return }
        self.received = ""
        self.accepted.withLockedValue { $0 += 1 }
        let channel = context.channel
        self.opened.whenSuccess {
            channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), promise: nil)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct WebhookTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func report(_ count: Int) -> EventReport {
        let event = TextEvent(.offline("end"), source: "film", time: .position(microseconds: 0))
        return EventReport(
            events: Array(repeating: event, count: count),
            texts: [],
            source: EventSource(name: "film")
        )
    }

    @Test func addressesOfHTTPAreAccepted() {
        for url in ["http://localhost/", "https://example.org:8443/texts?a=b", "HTTP://10.0.0.1"] {
            #expect(Webhook.accepts(url), "\(url)")
        }
        for url in ["", "example.org", "example.org/texts", "ftp://example.org", "https://", "http://a b/"] {
            #expect(!Webhook.accepts(url), "\(url)")
        }
    }

    @Test func aFileWaitsForAnAddressThatIsSlowAndLosesNoEvent() async throws {
        let accepted = NIOLockedValueBox(0)
        let group = MultiThreadedEventLoopGroup.singleton
        let opening = group.next().makePromise(of: Void.self)
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = AcceptingHandler(accepted, opened: opening.futureResult)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = listener.localAddress?.port ?? 0
        let webhook = Webhook(url: "http://127.0.0.1:\(port)/", grace: .seconds(50), logger: Self.logger)
        webhook.send(Self.report(1100))
        let waiting = Task { await webhook.waitForRoom() }
        opening.succeed()
        await waiting.value
        // One event is on its way, and no more wait than may.
        #expect(accepted.withLockedValue(\.self) >= 100)
        #expect(await webhook.close() == 0)
        #expect(accepted.withLockedValue(\.self) == 1100)
        try await listener.close()
    }

    @Test func whatIsNotDeliveredAtTheEndIsCounted() async {
        // Port 1 is never assigned.
        let webhook = Webhook(url: "http://127.0.0.1:1/", grace: .zero, logger: Self.logger)
        webhook.send(Self.report(3))
        #expect(await webhook.close() == 3)
    }
}
