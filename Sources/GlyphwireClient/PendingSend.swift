internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Receipt for a message that was written to the socket.
struct Written: Sendable {
    var sequence: UInt64
    var at: ContinuousClock.Instant
}

/// Message in the send queue, with the task that waits for it.
struct PendingSend {
    enum Waiter {
        /// Waits until the message is written to the socket.
        case written(CheckedContinuation<Written, any Error>)
        /// Waits for the line that answers the message.
        case answered((Result<ServerLine, any Error>) -> Void)
    }

    var message: Message
    var ticket: WaitTicket
    var waiter: Waiter

    /// Type of the message; `nil` for one that this client does not know.
    var type: MessageType? { MessageType(rawValue: self.message.header.type) }

    /// Passes the line that answers the message to the task that waits for it.
    func complete(with line: ServerLine) {
        guard case .answered(let complete) = self.waiter else { return }
        if case .error(let error) = line {
            complete(.failure(GlyphwireClientError.refused(error.error)))
        } else {
            complete(.success(line))
        }
    }

    /// Fails the waiting task.
    func fail(_ error: any Error) {
        switch self.waiter {
        case .written(let continuation): continuation.resume(throwing: error)
        case .answered(let complete): complete(.failure(error))
        }
    }
}

extension ServerLine {
    /// Whether this is the answer to the message with `header`, which is not a frame.
    func answers(_ header: MessageHeader) -> Bool {
        if case .error(let error) = self { return error.sequence == header.sequence }
        guard let (type, sequence) = self.answered else { return false }
        return header.type == type.rawValue && header.sequence == sequence
    }
}
