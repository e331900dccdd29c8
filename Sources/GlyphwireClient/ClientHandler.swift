internal import GlyphwireProtocol
internal import NIOCore

/// Channel handler that passes received lines to its ``ClientStream`` and writes messages.
///
/// Automatic reading is off: the handler reads while the line queue has room.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Receiver of the lines; `nil` once it has been cancelled.
    private var stream: ClientStream?
    private let number: Int
    private var splitter: LineSplitter
    private var context: ChannelHandlerContext?
    private var failure: (any Error)?
    private var headers = ByteBuffer()

    /// Creates the handler of the stream's channel with this `number`.
    init(stream: ClientStream, number: Int, maxLineBytes: Int) {
        self.stream = stream
        self.number = number
        self.splitter = LineSplitter(maxLineBytes: maxLineBytes)
    }

    /// Whether the socket accepts more data at once.
    var isWritable: Bool { self.context?.channel.isWritable ?? false }

    /// Writes a message without copying its payload.
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

    /// Closes the channel without further events to the stream.
    func close() {
        self.stream = nil
        self.context?.close(promise: nil)
    }

    /// Reads if the queue has room.
    func read() {
        guard let context = self.context, let stream = self.stream else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let hasRoom = stream.queue.hasRoom {
            handler.eventLoop.execute {
                handler.value.stream?.heard()
                handler.value.read()
            }
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
        self.stream?.heard()
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
