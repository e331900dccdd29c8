/// Task that waits until a frame of a camera may be sent.
struct SendableWait {
    var ticket: WaitTicket
    var continuation: CheckedContinuation<Void, any Error>
}

/// Tasks that wait until a frame of a camera may be sent.
extension ClientStream {
    /// Resumes the task as soon as a frame may be sent.
    func waitUntilSendable(ticket: WaitTicket, _ continuation: CheckedContinuation<Void, any Error>) {
        if ticket.isCancelled { return continuation.resume(throwing: CancellationError()) }
        if self.machine.refusesMessages {
            return continuation.resume(throwing: self.failure ?? GlyphwireClientError.closed)
        }
        self.senders.append(SendableWait(ticket: ticket, continuation: continuation))
        self.resumeSenders()
    }

    /// Resumes all tasks if a frame may be sent, and the socket takes it at once; for answers they wait only while they are read.
    func resumeSenders() {
        guard self.machine.isSendable || self.machine.isOpen && self.isPaused, self.sends.isEmpty,
            self.channel.handler?.isWritable == true
        else { return }
        for sender in self.removeSenders() { sender.continuation.resume() }
    }

    /// Fails the task that waits with `ticket`, if there is one.
    func cancelSender(_ ticket: WaitTicket) {
        guard let index = self.senders.firstIndex(where: { $0.ticket === ticket }) else { return }
        self.senders.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    /// Fails all tasks.
    func failSenders(_ error: any Error) {
        for sender in self.removeSenders() { sender.continuation.resume(throwing: error) }
    }

    private func removeSenders() -> [SendableWait] {
        defer { self.senders = [] }
        return self.senders
    }
}
