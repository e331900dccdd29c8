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
    /// Bytes that the socket had not taken when they were last counted.
    private var unsentByteCount = 0

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
        if self.hasProgressed() { self.stream?.heard() }
        self.headers.clear()
        message.header.write(into: &self.headers)
        context.write(self.wrapOutboundOut(self.headers), promise: nil)
        if message.payload.readableBytes > 0 { context.write(self.wrapOutboundOut(message.payload), promise: nil) }
    }

    func flush() {
        guard let context = self.context else { return }
        context.flush()
        self.unsentByteCount = Self.unsentByteCount(of: context)
    }

    /// Whether the socket has taken bytes of a long message since they were last counted.
    func hasProgressed() -> Bool {
        guard let context = self.context else { return false }
        let before = self.unsentByteCount
        self.unsentByteCount = Self.unsentByteCount(of: context)
        return self.unsentByteCount < before
    }

    private static func unsentByteCount(of context: ChannelHandlerContext) -> Int {
        // Every socket has this option.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Closes the channel without further events to the stream.
    func close() {
        self.stream = nil
        self.context?.close(promise: nil)
    }

    /// Reads if the queue has room, or the connection is not complete: unread lines do not keep it from that.
    func read() {
        guard let context = self.context, let stream = self.stream else { return }
        guard stream.isReady else { return context.read() }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let hasRoom = stream.queue.hasRoom {
            handler.eventLoop.execute {
                handler.value.stream?.heard()
                handler.value.read()
            }
        }
        if hasRoom { context.read() } else { stream.flush() }
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
        // The first one is the cause: TLS adds that the connection has closed.
        if self.failure == nil { self.failure = error }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.stream?.lost(self.failure)
    }
}
