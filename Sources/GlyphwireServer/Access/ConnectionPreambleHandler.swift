internal import GlyphwireProtocol
internal import Logging
internal import NIOCore
internal import NIOSSL

/// Channel handler of the connection preamble: the PROXY header, if a proxy sends one, and the start of TLS.
///
/// After the first bytes it adds the connection's other handlers behind itself, passes them what it has received, and
/// removes itself.
final class ConnectionPreambleHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// First byte of a TLS handshake record.
    private static let handshakeRecord: UInt8 = 0x16

    private let timeout: TimeAmount
    private let tls: TLSContextProvider
    private let accounting: ConnectionAccounting
    private let makeHandlers: (SocketAddress?, ConnectionAdmission) -> [any ChannelHandler]
    private var admission: ConnectionAdmission
    private var awaitsProxyHeader: Bool
    private var isFinished = false
    /// Whether the handlers that follow are there.
    private var isOpened = false
    private var client: SocketAddress?
    private var received = ByteBuffer()
    private var deadline: Scheduled<Void>?

    /// Creates a handler for the start of a connection.
    ///
    /// - Parameters:
    ///   - expectsProxyHeader: Whether the connection starts with a PROXY header.
    ///   - timeout: How long the preamble may take.
    ///   - tls: The TLS context, if the server uses TLS.
    ///   - accounting: The accounting of the connection.
    ///   - admission: The admission of the connection: at once, or when the PROXY header has come.
    ///   - makeHandlers: Makes the handlers that follow for a client with this address and its admission, in the order from
    ///     the socket; TLS comes behind the first.
    init(
        expectsProxyHeader: Bool,
        timeout: Duration,
        tls: TLSContextProvider,
        accounting: ConnectionAccounting,
        admission: ConnectionAdmission,
        makeHandlers: @escaping (SocketAddress?, ConnectionAdmission) -> [any ChannelHandler]
    ) {
        self.awaitsProxyHeader = expectsProxyHeader
        self.timeout = TimeAmount(timeout)
        self.tls = tls
        self.accounting = accounting
        self.admission = admission
        self.makeHandlers = makeHandlers
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { self.channelActive(context: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        self.client = context.remoteAddress
        self.accounting.connected(from: self.client)
        guard self.awaitsProxyHeader || self.admit(context) else { return }
        self.deadline = context.eventLoop.assumeIsolated().scheduleTask(in: self.timeout) {
            self.refuse(self.awaitsProxyHeader ? .noProxyHeader : .noTLS, context)
        }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = self.unwrapInboundIn(data)
        if !self.isFinished { self.received.writeBuffer(&bytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        do throws(WireError) {
            try self.advance(context)
        } catch {
            self.refuse(error, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            self.accounting.ends(.clientClosed)
            context.close(promise: nil)
        case is ConnectionRegistry.DrainStarted:
            self.accounting.ends(.serverStopped)
            context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.deadline?.cancel()
        // Where the rest of the pipeline is there, its end has the account: TLS may fail before this handler is removed.
        if !self.isOpened {
            self.admission.release()
            self.accounting.closed(client: nil, token: nil)
        }
        context.fireChannelInactive()
    }

    /// Parses the preamble as far as it has been received.
    private func advance(_ context: ChannelHandlerContext) throws(WireError) {
        guard !self.isFinished else { return context.read() }
        if self.awaitsProxyHeader {
            guard let header = try ProxyHeader.next(in: &self.received) else { return context.read() }
            self.client = header.client ?? self.client
            self.awaitsProxyHeader = false
            guard self.admit(context) else { return }
        }
        guard let tls = self.tls.current else { return self.open(context, tls: nil) }
        guard let first = self.received.readableBytesView.first else { return context.read() }
        guard first == Self.handshakeRecord else { throw .noTLS }
        self.open(context, tls: tls)
    }

    /// Admits the client, or closes the connection of one that gets no error.
    ///
    /// Where there is an error, it follows the `hello`.
    private func admit(_ context: ChannelHandlerContext) -> Bool {
        if self.admission.admit(self.client) { return true }
        self.isFinished = true
        self.deadline?.cancel()
        self.accounting.ends(refusedWith: self.admission.refusal)
        context.close(promise: nil)
        return false
    }

    /// Adds the other handlers and passes them the bytes received so far.
    private func open(_ context: ChannelHandlerContext, tls: NIOSSLContext?) {
        self.isFinished = true
        self.deadline?.cancel()
        do {
            // The last handler writes at once, which may find the connection closed: from here on it has the account.
            self.isOpened = true
            try self.addHandlers(context, tls: tls)
        } catch {
            self.isOpened = false
            context.close(promise: nil)
            return
        }
        if self.received.readableBytes > 0 {
            context.fireChannelRead(self.wrapInboundOut(self.received))
            context.fireChannelReadComplete()
        }
        self.received = ByteBuffer()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    /// Adds the handlers from the socket inwards, since the last one writes at once through all before it.
    private func addHandlers(_ context: ChannelHandlerContext, tls: NIOSSLContext?) throws {
        var handlers = self.makeHandlers(self.client, self.admission)
        if let tls { handlers.insert(NIOSSLServerHandler(context: tls), at: 1) }
        var previous: any ChannelHandler = self
        for handler in handlers {
            try context.pipeline.syncOperations.addHandler(handler, position: .after(previous))
            previous = handler
        }
    }

    /// Sends the refusal, and closes the connection once the line could be read.
    private func refuse(_ error: WireError, _ context: ChannelHandlerContext) {
        guard !self.isFinished else { return }
        self.isFinished = true
        self.deadline?.cancel()
        self.received = ByteBuffer()
        self.accounting.ends(self.awaitsProxyHeader ? .proxyHeaderMissing : .tlsMissing)
        self.accounting.meters.errorSent(error)
        var line = ByteBuffer()
        LineWriter().write(.error(ErrorLine(error: error, sequence: nil)), into: &line)
        context.finishOutput(with: line)
        context.read()
    }
}

extension WireError {
    fileprivate static let noTLS = WireError(
        .wrongProtocol,
        "this server speaks TLS: connect with TLS (--tls, tls=True, or through stunnel or socat)"
    )
    fileprivate static let noProxyHeader = WireError(
        .wrongProtocol,
        "no PROXY header came; connect through the proxy, or start the server without --proxy-protocol"
    )
}
