internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOSSL
internal import SystemSupport

/// Channel handler of one connection, which performs the actions of the ``ConnectionStateMachine``.
///
/// Automatic reading is off. The handler reads from the socket only while the machine has room for a message and the
/// channel is writable, so a client that sends too fast, or does not read its lines, is held back by TCP flow control.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Time in which a refused client completes its TLS handshake and reads its error.
    private static let refusalTime = TimeAmount.seconds(10)

    var machine: ConnectionStateMachine
    var admission: ConnectionAdmission
    var stream: StreamState
    let framing: MessageFramingHandler
    let accounting: ConnectionAccounting
    let requests: RequestParser
    let queue: FrameQueue
    private(set) var context: ChannelHandlerContext?
    /// Callback for a worker's answer to a frame, on any thread.
    private(set) var finishFrame: (@Sendable (FinishedFrame, FrameJob) -> Void)?
    private let replies: ReplyWriter
    private var publisher: FramePublisher
    /// Client's address if a proxy reported it.
    private let client: SocketAddress?

    /// Creates a handler of a new connection; ``ConnectionFactory`` creates it and the handlers before it.
    init(
        client: SocketAddress?,
        framing: MessageFramingHandler,
        accounting: ConnectionAccounting,
        admission: ConnectionAdmission,
        machine: consuming ConnectionStateMachine,
        stream: StreamState,
        requests: RequestParser,
        replies: ReplyWriter,
        queue: FrameQueue,
        publisher: FramePublisher
    ) {
        self.client = client
        self.framing = framing
        self.accounting = accounting
        self.admission = admission
        self.machine = machine
        self.stream = stream
        self.requests = requests
        self.replies = replies
        self.queue = queue
        self.publisher = publisher
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let meters = self.accounting.meters
        self.finishFrame = { frame, job in
            meters.frameAnswered(frame.result)
            handler.eventLoop.execute { handler.value.frameFinished(frame, job) }
        }
        if context.channel.isActive { self.channelActive(context: context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.finishFrame = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        let client = self.client ?? context.remoteAddress
        self.accounting.connected(from: client)
        // A connection with a preamble was admitted, or refused, before.
        guard self.admission.isDecided || self.admission.admit(client) else {
            self.accounting.ends(refusedWith: self.admission.refusal)
            context.close(promise: nil)
            return
        }
        if let refusal = self.admission.refusal {
            self.machine.connectionRefused(refusal)
            // A client that never completes its TLS handshake cannot get the error.
            context.closeIfStillOpen(after: Self.refusalTime)
        }
        self.advance(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.advance(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { self.advance(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            self.accounting.inputClosed()
            self.machine.inputClosed()
            self.advance(context)
        case is ConnectionRegistry.TokensChanged:
            guard self.machine.takesMessages, let refusal = self.admission.revocation(at: WallClock.seconds) else {
                return
            }
            self.accounting.ends(ConnectionEnd(refusal), failure: refusal.error.message)
            self.machine.connectionRefused(refusal.error)
            self.advance(context)
        case is ConnectionRegistry.DrainStarted:
            self.machine.drainStarted()
            self.advance(context)
        case let event as ConnectionTimeoutHandler.TimedOut:
            self.accounting.logPeer(.info, "connection timed out")
            let isAnswerDue = self.machine.hasUnansweredMessages
            self.machine.connectionRefused(event.error)
            self.advance(context)
            // The line follows the answers that are due. Where none is, an incomplete TLS handshake may delay it for ever.
            if !isAnswerDue { context.closeAfterLinger() }
        case is WriteStallHandler.Stalled:
            self.accounting.logPeer(.info, "slow reader")
            self.queue.remove(self.accounting.id)
            self.machine.linesStuck()
            self.advance(context)
            context.closeAfterLinger()
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that closes TCP without a TLS close still gets its answers.
        if case NIOSSLError.uncleanShutdown = error {
            self.accounting.inputClosed()
            return
        }
        let end: ConnectionEnd =
            if case NIOSSLError.handshakeFailed = error { .handshakeFailed } else { .connectionLost }
        self.accounting.ends(end, failure: String(loggable: error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        self.stream.release()
        self.admission.release()
        self.queue.remove(self.accounting.id)
        self.accounting.closed(client: self.stream.configuration.client, token: self.admission.token)
    }

    /// Handles a worker's answer; the connection may have closed meanwhile.
    private func frameFinished(_ frame: FinishedFrame, _ job: FrameJob) {
        guard let context = self.context else { return }
        self.publisher.publish(frame, of: job)
        self.machine.frameFinished(frame, ticket: job.ticket)
        self.framing.payloadReleased(job.payload, isShared: job.tracking != nil)
        self.advance(context)
    }

    /// Takes messages and writes lines as far as the state machine allows.
    func advance(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        var hasWritten = false
        loop: while true {
            self.takeMessages(context)
            switch self.machine.nextOutputAction() {
            case .send(let reply):
                let line = self.replies.line(for: reply, accounting: self.accounting)
                context.write(self.wrapOutboundOut(line), promise: nil)
                hasWritten = true
            case .finish:
                self.finish(context)
                return
            case nil:
                break loop
            }
        }
        if hasWritten { context.flush() }
        let isReading = self.machine.wantsInput && context.channel.isWritable && !self.waitsForMemory
        if self.machine.isFinished || isReading { context.read() }
        self.framing.discardsInput = !self.machine.takesMessages
        self.framing.updateMemory()
        context.triggerUserOutboundEvent(self.wait(isReading: isReading), promise: nil)
    }

    /// The client's next expected action.
    private func wait(isReading: Bool) -> ConnectionTimeouts.Wait {
        guard isReading else { return .none }
        if self.machine.isUnauthenticated { return .token }
        if self.framing.awaitsFirstMessage { return .firstMessage }
        let number = self.framing.messageCount
        if self.framing.isWithinMessage { return .message(number: number) }
        return self.machine.hasUnansweredMessages ? .none : .nextMessage(number: number)
    }

    /// Closes the output after the last line; further input is read and dropped until the client closes.
    private func finish(_ context: ChannelHandlerContext) {
        self.framing.stop()
        // From here on only write stalls and the linger time limit the client.
        context.triggerUserOutboundEvent(ConnectionTimeouts.Wait.none, promise: nil)
        context.finishOutput()
        context.read()
    }
}
