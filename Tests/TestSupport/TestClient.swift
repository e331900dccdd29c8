internal import Glibc
package import GlyphwireProtocol
internal import TextModel
package import NIOCore
internal import NIOPosix

/// A client over a real socket that sends any bytes.
package final class TestClient {
    package let channel: any Channel
    private var lines: AsyncStream<ByteBuffer>.Iterator

    private init(channel: any Channel, lines: AsyncStream<ByteBuffer>) {
        self.channel = channel
        self.lines = lines.makeAsyncIterator()
    }

    /// Connects to a server on this machine.
    ///
    /// Without `reads`, lines stay in the client's socket, whose buffer is small, until ``startReading()``.
    package static func connect(port: Int, reads: Bool = true) async throws -> TestClient {
        let (lines, continuation) = AsyncStream<ByteBuffer>.makeStream()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelOption(.socketOption(.so_rcvbuf), value: reads ? 1 << 20 : 64 << 10)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LineSplitter(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return TestClient(channel: channel, lines: lines)
    }

    package func startReading() async throws { try await self.channel.setOption(.autoRead, value: true).get() }

    /// Sends bytes and returns once the system has accepted them.
    package func send(_ bytes: ByteBuffer) async throws { try await self.channel.writeAndFlush(bytes) }

    package func send(_ message: Message) async throws {
        var bytes = ByteBuffer()
        message.write(into: &bytes)
        try await self.send(bytes)
    }

    /// Closes the output, and continues to read.
    package func closeOutput() async throws { try await self.channel.close(mode: .output) }

    package func close() async throws { try await self.channel.close() }

    /// Resets the connection.
    package func reset() async throws {
        guard let socket = self.channel as? any SocketOptionProvider else { return }
        try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await self.channel.close()
    }

    /// Returns the next line without its end; `nil` once the server has closed.
    package func nextText() async -> String? {
        await self.lines.next(isolation: #isolation).map { String(buffer: $0) }
    }

    package func nextLine() async throws -> ServerLine? {
        guard let line = await self.lines.next(isolation: #isolation) else { return nil }
        return try ServerLine(json: line)
    }

    /// Returns the remaining lines until the server closes.
    package func remainingLines() async throws -> [ServerLine] {
        var all: [ServerLine] = []
        while let line = try await self.nextLine() { all.append(line) }
        return all
    }
}

/// Splits lines and passes them to a stream, which ends with the connection's input.
private final class LineSplitter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private var rest = ByteBuffer()

    init(_ continuation: AsyncStream<ByteBuffer>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = self.unwrapInboundIn(data)
        while let length = chunk.bytesBeforeLineFeed {
            self.rest.writeImmutableBuffer(chunk.readSlice(length: length) ?? ByteBuffer())
            chunk.moveReaderIndex(forwardBy: 1)
            self.continuation.yield(self.rest)
            self.rest = ByteBuffer()
        }
        self.rest.writeBuffer(&chunk)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { self.continuation.finish() }
    }

    func channelInactive(context: ChannelHandlerContext) { self.continuation.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension ByteBuffer {
    fileprivate var bytesBeforeLineFeed: Int? {
        self.withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress, let end = memchr(start, 10, bytes.count) else { return nil }
            return UnsafeRawPointer(end) - start
        }
    }
}
