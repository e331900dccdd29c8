import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// An MQTT broker at a loopback port, for one client: it sends what a test says, and keeps what the client publishes.
final class StubBroker: Sendable {
    /// Message that the client has published.
    struct Message: Sendable, Equatable {
        let topic: String
        let payload: String
        let isRetained: Bool
    }

    let port: Int
    /// The messages of the client, of all connections.
    let messages: AsyncStream<Message>
    private let listener: any Channel
    private let connection: NIOLockedValueBox<(any Channel)?>
    private let retained: NIOLockedValueBox<[(topic: String, payload: String)]>

    private init(
        listener: any Channel,
        messages: AsyncStream<Message>,
        connection: NIOLockedValueBox<(any Channel)?>,
        retained: NIOLockedValueBox<[(topic: String, payload: String)]>
    ) {
        (self.port, self.listener) = (listener.localAddress?.port ?? 0, listener)
        (self.messages, self.connection, self.retained) = (messages, connection, retained)
    }

    /// Starts a broker.
    ///
    /// - Parameters:
    ///   - retained: What it has kept, and sends for a subscription to the first topic; of the others it knows nothing.
    ///   - acknowledges: Whether it acknowledges what the client publishes.
    static func start(
        retained: [(topic: String, payload: String)],
        acknowledges: Bool = true
    ) async throws -> StubBroker {
        let (messages, message) = AsyncStream.makeStream(of: Message.self)
        let connection = NIOLockedValueBox<(any Channel)?>(nil)
        let retained = NIOLockedValueBox(retained)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connection.withLockedValue { $0 = channel }
                return channel.eventLoop.makeCompletedFuture {
                    let handler = StubBrokerHandler(
                        retained: retained,
                        acknowledges: acknowledges,
                        messages: message
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return StubBroker(listener: listener, messages: messages, connection: connection, retained: retained)
    }

    /// Replaces what it has kept, for later connections.
    func keep(_ retained: [(topic: String, payload: String)]) { self.retained.withLockedValue { $0 = retained } }

    /// Sends a message of another client.
    func send(_ topic: String, _ payload: String) {
        let packet = StubBrokerHandler.publication(topic, payload, isRetained: false)
        self.connection.withLockedValue(\.self)?.writeAndFlush(packet, promise: nil)
    }

    /// Closes the connection of the client, which connects again.
    func disconnect() { self.connection.withLockedValue(\.self)?.close(promise: nil) }

    func close() async throws { try await self.listener.close() }
}

/// Connection of a client by MQTT 3.1.1.
private final class StubBrokerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let retained: NIOLockedValueBox<[(topic: String, payload: String)]>
    private let acknowledges: Bool
    private let messages: AsyncStream<StubBroker.Message>.Continuation
    private var received = ByteBuffer()
    private var hasSubscribed = false

    init(
        retained: NIOLockedValueBox<[(topic: String, payload: String)]>,
        acknowledges: Bool,
        messages: AsyncStream<StubBroker.Message>.Continuation
    ) {
        (self.retained, self.acknowledges, self.messages) = (retained, acknowledges, messages)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = self.unwrapInboundIn(data)
        self.received.writeBuffer(&chunk)
        while let (head, body) = Self.packet(in: &self.received) { self.handle(head, body, context.channel) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Removes the next packet from `buffer`; `nil` if it is not whole.
    private static func packet(in buffer: inout ByteBuffer) -> (head: UInt8, body: ByteBuffer)? {
        var rest = buffer
        guard let head = rest.readInteger(as: UInt8.self) else { return nil }
        var (length, shift) = (0, 0)
        while true {
            guard let digit = rest.readInteger(as: UInt8.self) else { return nil }
            length |= Int(digit & 0x7F) << shift
            shift += 7
            if digit & 0x80 == 0 { break }
        }
        guard let body = rest.readSlice(length: length) else { return nil }
        buffer = rest
        return (head, body)
    }

    private func handle(_ head: UInt8, _ body: ByteBuffer, _ channel: any Channel) {
        var body = body
        switch head >> 4 {
        case 1: Self.send([0x20, 2, 0, 0], to: channel)
        case 3: self.handlePublication(head, &body, channel)
        case 8:
            let number = body.readBytes(length: 2) ?? []
            Self.send([0x90, 3], number, [0], to: channel)
            if !self.hasSubscribed {
                self.hasSubscribed = true
                for (topic, payload) in self.retained.withLockedValue(\.self) {
                    channel.writeAndFlush(Self.publication(topic, payload, isRetained: true), promise: nil)
                }
            }
        case 12: Self.send([0xD0, 0], to: channel)
        default: break
        }
    }

    private func handlePublication(_ head: UInt8, _ body: inout ByteBuffer, _ channel: any Channel) {
        guard let length = body.readInteger(as: UInt16.self), let topic = body.readString(length: Int(length)) else {
            return
        }
        if head & 0b0110 != 0, let number = body.readBytes(length: 2) {
            if self.acknowledges { Self.send([0x40, 2], number, to: channel) }
        }
        let payload = String(buffer: body)
        self.messages.yield(StubBroker.Message(topic: topic, payload: payload, isRetained: head & 1 == 1))
        // The program subscribes to its own status.
        if topic.split(separator: "/").count == 2 {
            channel.writeAndFlush(Self.publication(topic, payload, isRetained: false), promise: nil)
        }
    }

    private static func send(_ parts: [UInt8]..., to channel: any Channel) {
        channel.writeAndFlush(ByteBuffer(bytes: parts.joined()), promise: nil)
    }

    /// A message of quality of service 0 for the client, of less than 128 bytes.
    static func publication(_ topic: String, _ payload: String, isRetained: Bool) -> ByteBuffer {
        var packet = ByteBuffer()
        packet.writeInteger(isRetained ? 0x31 : 0x30, as: UInt8.self)
        packet.writeInteger(UInt8(2 + topic.utf8.count + payload.utf8.count))
        packet.writeInteger(UInt16(topic.utf8.count))
        packet.writeString(topic)
        packet.writeString(payload)
        return packet
    }
}
