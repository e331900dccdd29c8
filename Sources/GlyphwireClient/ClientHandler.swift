internal import GlyphwireProtocol
internal import NIOCore

/// One channel of a stream: bytes in, lines to the ``ClientStream``, messages out.
///
/// Automatic reading is off: bytes are asked for while the line queue has room.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What takes the lines; `nil` once it has been cancelled.
    private var stream: ClientStream?
    private let number: Int
    private var splitter: LineSplitter
    private var context: ChannelHandlerContext?
    private var failure: (any Error)?
    private var headers = ByteBuffer()

    /// The handler of the stream's channel of this `number`.
    init(stream: ClientStream, number: Int, maxLineBytes: Int) {
        self.stream = stream
        self.number = number
        self.splitter = LineSplitter(maxLineBytes: maxLineBytes)
    }

    /// Whether the socket takes more at once.
    var isWritable: Bool { self.context?.channel.isWritable ?? false }

    /// Writes a message; the payload's own memory goes to the socket.
    func write(_ message: Message) {
        guard let context = self.context else { return }
        self.headers.clear()
        message.header.write(into: &self.headers)
        context.write(self.wrapOutboundOut(self.headers), promise: nil)
        if message.payload.readableBytes > 0 { context.write(self.wrapOutboundOut(message.payload), promise: nil) }
    }

    func flush() {
        self.context?.flush()
    }

    /// Closes the channel, of which the stream wants to hear nothing more.
    func close() {
        self.stream = nil
        self.context?.close(promise: nil)
    }

    /// Asks for bytes if the queue has room for what they hold.
    func read() {
        guard let context = self.context, let stream = self.stream else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let hasRoom = stream.queue.hasRoom {
            handler.eventLoop.execute { handler.value.read() }
        }
        if hasRoom { context.read() }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        self.stream?.opened(self, number: self.number)
        self.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let now = self.stream?.now() else { return }
        self.splitter.append(self.unwrapInboundIn(data))
        do throws(GlyphwireClientError) {
            while let stream = self.stream, let line = try self.splitter.next() {
                stream.received(line, at: now)
            }
        } catch {
            self.stream?.fail(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.stream?.flush()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.failure = error
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.stream?.lost(self.failure)
    }
}
