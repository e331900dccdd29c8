import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A web address at a loopback port, which answers what is posted to it as a test's script says.
final class StubReceiver: Sendable {
    /// Request with its body.
    struct Request: Sendable {
        /// Method and path, such as `POST /events`.
        let line: String
        /// Value of `Authorization`; `nil` without it.
        let authorization: String?
        let body: String
        /// Number of the connection, from 0.
        let connection: Int
    }

    /// The answers to a request, which are sent one by one; the request is the one with this index.
    typealias Script = @Sendable (_ index: Int, Request) -> [String]

    let port: Int
    private let listener: any Channel
    private let received: NIOLockedValueBox<[Request]>

    private init(listener: any Channel, received: NIOLockedValueBox<[Request]>) {
        (self.port, self.listener, self.received) = (listener.localAddress?.port ?? 0, listener, received)
    }

    /// The requests so far.
    var requests: [Request] { self.received.withLockedValue(\.self) }

    /// Answers requests until ``close()``.
    ///
    /// - Parameters:
    ///   - opened: What all answers wait for.
    ///   - script: The answers; one of 200 by default.
    static func start(
        opened: EventLoopFuture<Void>? = nil,
        script: @escaping Script = { _, _ in [StubReceiver.answer("200 OK")] }
    ) async throws -> StubReceiver {
        let received = NIOLockedValueBox<[Request]>([])
        let connections = NIOLockedValueBox(0)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                let number = connections.withLockedValue { count in
                    count += 1
                    return count - 1
                }
                return channel.eventLoop.makeCompletedFuture {
                    let handler = StubReceiverHandler(number, received, opened: opened, script: script)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return StubReceiver(listener: listener, received: received)
    }

    func close() async throws { try await self.listener.close() }

    /// An answer with further headers, and a body behind its head.
    static func answer(_ status: String, headers: [String] = [], body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).map { $0 + "\r\n" }.joined() + "\r\n"
            + body
    }
}

private final class StubReceiverHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Int
    private let received: NIOLockedValueBox<[StubReceiver.Request]>
    private let opened: EventLoopFuture<Void>?
    private let script: StubReceiver.Script
    private var text = ""

    init(
        _ connection: Int,
        _ received: NIOLockedValueBox<[StubReceiver.Request]>,
        opened: EventLoopFuture<Void>?,
        script: @escaping StubReceiver.Script
    ) {
        (self.connection, self.received, self.opened, self.script) = (connection, received, opened, script)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.text += String(buffer: self.unwrapInboundIn(data))
        guard let end = self.text.firstRange(of: "\r\n\r\n") else { return }
        let (head, body) = (self.text[..<end.lowerBound], String(self.text[end.upperBound...]))
        let lines = head.split(whereSeparator: \.isNewline)
        let length = Self.value(of: "content-length", in: lines).flatMap { Int($0) } ?? 0
        guard body.utf8.count >= length else { return }
        self.text = ""
        let request = StubReceiver.Request(
            line: (lines.first ?? "").split(separator: " ").prefix(2).joined(separator: " "),
            authorization: Self.value(of: "authorization", in: lines),
            body: body,
            connection: self.connection
        )
        let index = self.received.withLockedValue { received in
            received.append(request)
            return received.count - 1
        }
        let (channel, answers) = (context.channel, self.script(index, request))
        let opened = self.opened ?? context.eventLoop.makeSucceededVoidFuture()
        opened.whenSuccess {
            for answer in answers { channel.writeAndFlush(ByteBuffer(string: answer), promise: nil) }
        }
    }

    private static func value(of header: String, in lines: [Substring]) -> String? {
        let line = lines.first { $0.lowercased().hasPrefix("\(header):") }
        return line.map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
