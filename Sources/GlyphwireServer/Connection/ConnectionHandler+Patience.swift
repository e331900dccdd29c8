internal import GlyphwireProtocol
internal import Logging
internal import NIOCore

/// What is waited for, and for how long: messages of the client, and that it takes its lines.
extension ConnectionHandler {
    /// Looks in time whether the client has done what is waited for.
    func watchClient(_ context: ChannelHandlerContext, isReading: Bool) {
        self.patience.waits(self.wait(isReading: isReading), at: context.eventLoop.now)
        self.schedulePatienceCheck(context)
    }

    private func schedulePatienceCheck(_ context: ChannelHandlerContext) {
        guard let deadline = self.patience.deadline else { return }
        if let check = self.patienceCheck {
            // A check that comes too early sees to the next one itself.
            guard deadline < check.time else { return }
            check.task.cancel()
        }
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.patienceCheck = nil
            guard let deadline = self.patience.deadline else { return }
            if deadline > context.eventLoop.now {
                self.schedulePatienceCheck(context)
            } else {
                self.clientTookTooLong(context)
            }
        }
        self.patienceCheck = (task, deadline)
    }

    /// What the client has to do next.
    private func wait(isReading: Bool) -> PeerPatience.Wait {
        guard isReading, !self.isLingering else { return .none }
        if self.machine.isUnauthenticated { return .firstMessage }
        if self.assembler.incoming == nil, self.messageCount == 0 { return .firstMessage }
        if !self.assembler.isBetweenMessages { return .message(number: self.messageCount) }
        return self.machine.hasUnansweredMessages ? .none : .nextMessage(number: self.messageCount)
    }

    private func clientTookTooLong(_ context: ChannelHandlerContext) {
        self.server.logger.info(
            "client took too long",
            metadata: [LogKeys.connection: "\(self.id)", LogKeys.peer: "\(self.peer)"]
        )
        self.machine.turnedAway(self.patience.error)
        self.advance(context)
        // A handshake that never ends keeps the line back, too.
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingerTime) { context.close(promise: nil) }
    }

    /// Looks after a while whether the client has taken any of the bytes that it left until now.
    func watchUnsentBytes(_ context: ChannelHandlerContext) {
        guard self.stallCheck == nil else { return }
        let unsent = self.unsentByteCount(context)
        guard unsent > 0 else { return }
        let taken = self.writtenByteCount - unsent
        let timeout = TimeAmount(self.server.configuration.limits.slowReaderTime)
        self.stallCheck = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.stallCheck = nil
            let unsent = self.unsentByteCount(context)
            if unsent > 0, self.writtenByteCount - unsent == taken {
                self.linesStuck(context)
            } else {
                self.watchUnsentBytes(context)
            }
        }
    }

    /// Bytes of lines that the system has not taken yet.
    private func unsentByteCount(_ context: ChannelHandlerContext) -> Int {
        // The option is one of every socket; where there is none, nothing is held back either.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// The client has not taken a byte of its lines for too long: it is told, in case it reads on, and shown out.
    private func linesStuck(_ context: ChannelHandlerContext) {
        self.server.logger.info(
            "slow reader",
            metadata: [LogKeys.connection: "\(self.id)", LogKeys.peer: "\(self.peer)"]
        )
        self.server.queue.remove(self.id)
        self.machine.linesStuck()
        self.advance(context)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingerTime) { context.close(promise: nil) }
    }
}
