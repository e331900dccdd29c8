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

    private var assembler: MessageAssembler
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

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = self.unwrapInboundIn(data)
        self.accounting.received(byteCount: chunk.readableBytes)
        if !self.discardsInput { self.assembler.append(&chunk) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.memory.release()
        context.fireChannelInactive()
    }

    /// Whether no header of a message has been received yet.
    var awaitsFirstMessage: Bool { self.messageCount == 0 && self.assembler.incoming == nil }

    /// Whether a part of a message has been received.
    var isWithinMessage: Bool { !self.assembler.isBetweenMessages }

    /// Whether all connections together hold more payload bytes than the server allows.
    var isMemoryExceeded: Bool { self.memory.isExceeded }

    /// Mistake that explains why framing failed; `nil` if none is recognised.
    var mistake: FramingMistake? { self.assembler.mistake }

    /// Returns the next whole message.
    ///
    /// - Parameters:
    ///   - isAuthenticated: Whether the client is authenticated; until then its messages must be small.
    ///   - canWaitForMemory: Whether the connection may leave a frame in the socket until memory is free. Otherwise a
    ///     frame beyond the budget is returned without its payload.
    /// - Returns: `nil` until more bytes are received.
    /// - Throws: ``WireError`` if the bytes cannot be framed.
    func nextMessage(isAuthenticated: Bool, canWaitForMemory: Bool) throws(WireError) -> Message? {
        self.assembler.limits = self.limits(isAuthenticated: isAuthenticated)
        var message = try self.assembler.next()
        self.updateMemory()
        if message == nil, self.memory.isExceeded, !canWaitForMemory,
            self.assembler.incoming?.type == MessageType.frame.rawValue
        {
            self.assembler.discardIncoming()
            message = try self.assembler.next()
        }
        if message != nil { self.messageCount += 1 }
        return message
    }

    /// Adds a payload that waits for a worker.
    func payloadTaken(_ payload: ByteBuffer) { self.memory.payloadTaken(byteCount: payload.readableBytes) }

    /// Releases the payload of an answered frame, and reuses its memory for the next one.
    func payloadReleased(_ payload: ByteBuffer) {
        self.memory.payloadReleased(byteCount: payload.readableBytes)
        self.assembler.reclaim(payload)
    }

    /// Reports the bytes held now to the budget.
    func updateMemory() { self.memory.update(assembledByteCount: self.assembler.heldByteCount) }

    /// Drops all received bytes, and further ones.
    func stop() {
        self.discardsInput = true
        self.assembler = MessageAssembler(limits: self.limits)
        self.updateMemory()
    }

    private func limits(isAuthenticated: Bool) -> WireLimits {
        var limits = self.limits
        if !isAuthenticated { limits.maxMessageBytes = min(limits.maxMessageBytes, self.maxUnauthenticatedBytes) }
        return limits
    }
}
