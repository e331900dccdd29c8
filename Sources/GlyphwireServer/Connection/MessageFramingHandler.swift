internal import GlyphwireProtocol
internal import NIOCore

/// Channel handler that assembles the bytes of one connection into messages and returns them on request.
///
/// The ``ConnectionHandler`` behind it pulls messages when it has room for them; messages passed up the pipeline would
/// have to be boxed and queued there. The handler also maintains the connection's share of the memory for payloads.
final class MessageFramingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never

    /// Number of messages received.
    private(set) var messageCount = 0
    /// Whether bytes received from now on are dropped.
    var discardsInput = false

    /// Time for which a connection without frames keeps the memory of its last one.
    private static let spareTime = TimeAmount.seconds(2)

    private var assembler: MessageAssembler
    private var context: ChannelHandlerContext?
    /// Time at which a payload was recycled last.
    private var spareSince = NIODeadline.uptimeNanoseconds(0)
    /// Check for a recycled payload that no message has used.
    private var spareCheck: Scheduled<Void>?
    private var memory: MemoryShare
    private let limits: WireLimits
    private let maxUnauthenticatedBytes: Int
    private let accounting: ConnectionAccounting

    /// Creates a handler for the start of a connection.
    ///
    /// - Parameters:
    ///   - limits: The limits of the server.
    ///   - budget: The memory for payloads, shared by all connections.
    ///   - accounting: Counts the bytes received.
    init(limits: ServerLimits, budget: MemoryBudget, accounting: ConnectionAccounting) {
        self.limits = limits.wire
        self.maxUnauthenticatedBytes = limits.maxUnauthenticatedBytes
        self.assembler = MessageAssembler(limits: limits.wire)
        self.memory = MemoryShare(of: budget)
        self.accounting = accounting
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.spareCheck?.cancel()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = self.unwrapInboundIn(data)
        self.accounting.received(byteCount: chunk.readableBytes)
        if !self.discardsInput { self.assembler.append(&chunk) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // It would count memory again that is released here.
        self.spareCheck?.cancel()
        self.memory.release()
        context.fireChannelInactive()
    }

    /// Whether no header of a message has been received yet.
    var awaitsFirstMessage: Bool { self.messageCount == 0 && self.assembler.incoming == nil }

    /// Whether a part of a message has been received.
    var isWithinMessage: Bool { !self.assembler.isBetweenMessages }

    /// Whether all connections together hold more than half of the payload bytes that the server allows.
    var isMemoryScarce: Bool { self.memory.isScarce }

    /// Mistake that explains why framing failed; `nil` if none is recognized.
    var mistake: FramingMistake? { self.assembler.mistake }

    /// Returns the next whole message.
    ///
    /// - Parameters:
    ///   - isAuthenticated: Whether the client is authenticated; until then its messages must be small.
    ///   - canWaitForMemory: Whether the connection may leave a frame in the socket until memory is free. Otherwise a
    ///     frame beyond the budget is returned without its payload, and so are, in any case, messages that do not use it.
    /// - Returns: `nil` until more bytes are received.
    /// - Throws: ``WireError`` if the bytes cannot be framed.
    func nextMessage(isAuthenticated: Bool, canWaitForMemory: Bool) throws(WireError) -> Message? {
        self.assembler.limits = self.limits(isAuthenticated: isAuthenticated)
        var message: Message?
        do throws(WireError) {
            message = try self.assembler.next()
        } catch {
            throw isAuthenticated ? error : self.errorBeforeToken(error)
        }
        self.updateMemory()
        if message == nil, let header = self.assembler.incoming,
            !self.usesPayload(of: header) || header.isFrame && self.memory.isExceeded && !canWaitForMemory
        {
            self.assembler.discardIncoming()
            message = try self.assembler.next()
        }
        if message != nil { self.messageCount += 1 }
        return message
    }

    /// Adds a payload that waits for a worker.
    func payloadTaken(_ payload: ByteBuffer) { self.memory.payloadTaken(byteCount: payload.readableBytes) }

    /// Releases the payload of an answered frame.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - isShared: Whether a tracking state may keep it; otherwise its memory is reused for the next frame.
    func payloadReleased(_ payload: ByteBuffer, isShared: Bool) {
        self.memory.payloadReleased(byteCount: payload.readableBytes)
        guard !isShared else { return }
        self.assembler.reclaim(payload)
        guard self.assembler.hasSpare, let context = self.context else { return }
        self.spareSince = context.eventLoop.now
        self.scheduleSpareCheck(context)
    }

    /// Reports the bytes held now to the budget, and frees recycled memory where it is exceeded.
    func updateMemory() {
        self.memory.update(assembledByteCount: self.assembler.heldByteCount)
        guard self.assembler.hasSpare, self.memory.isExceeded else { return }
        self.assembler.releaseSpare()
        self.memory.update(assembledByteCount: self.assembler.heldByteCount)
    }

    /// Frees recycled memory once no message has used it for a time, since idle connections must not fill the budget.
    private func scheduleSpareCheck(_ context: ChannelHandlerContext) {
        guard self.spareCheck == nil else { return }
        let time = self.spareSince + Self.spareTime
        self.spareCheck = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            self.spareCheck = nil
            guard self.assembler.hasSpare else { return }
            guard self.spareSince + Self.spareTime <= context.eventLoop.now else {
                return self.scheduleSpareCheck(context)
            }
            self.assembler.releaseSpare()
            self.updateMemory()
        }
    }

    /// Drops all received bytes, and further ones.
    func stop() {
        self.discardsInput = true
        self.assembler = MessageAssembler(limits: self.limits)
        self.updateMemory()
    }

    /// Whether the payload of a message with `header` is parsed; what is not parsed is not kept.
    private func usesPayload(of header: MessageHeader) -> Bool {
        guard let type = MessageType(rawValue: header.type), type.hasPayload else { return false }
        return type != .configure || header.payloadByteCount <= self.limits.maxConfigureBytes
    }

    /// The error of bytes that cannot be framed, as a client that has yet to authenticate gets it.
    private func errorBeforeToken(_ error: WireError) -> WireError {
        guard self.mistake == nil else { return error }
        guard error.code == .messageTooLarge else { return .missingToken }
        return WireError(
            .authRequired,
            "a message has more than \(self.assembler.limits.maxMessageBytes) bytes, the limit before a valid token; send "
                + "the token in a shorter configure message first, and the other options in a second one"
        )
    }

    private func limits(isAuthenticated: Bool) -> WireLimits {
        var limits = self.limits
        if !isAuthenticated { limits.maxMessageBytes = min(limits.maxMessageBytes, self.maxUnauthenticatedBytes) }
        return limits
    }
}

extension MessageHeader {
    fileprivate var isFrame: Bool { self.type == MessageType.frame.rawValue }
}
