internal import TextModel
internal import GlyphwireProtocol
internal import NIOCore

/// Timeouts of one connection: how long it waits for its client.
///
/// There is one deadline at a time, that of the action expected next. It has no clock: the caller passes the time, and
/// checks again at ``deadline``.
struct ConnectionTimeouts {
    /// Client's next expected action; the ``ConnectionTimeoutHandler`` receives it as an outbound event.
    enum Wait: Equatable, Sendable {
        /// No action: the server is busy, or does not read.
        case none
        /// Send the token.
        case token
        /// Begin the first message.
        case firstMessage
        /// Send the rest of a message after `number` earlier ones.
        case message(number: Int)
        /// Send another message after `number` earlier ones.
        case nextMessage(number: Int)
    }

    private let limits: ServerLimits
    private var wait = Wait.none
    /// Time at which the current wait times out; `nil` while nothing is expected.
    private(set) var deadline: NIODeadline?

    /// Creates timeouts from `limits`.
    init(limits: ServerLimits) { self.limits = limits }

    /// Sets the client's next expected action; an unchanged one keeps its deadline.
    mutating func waits(_ wait: Wait, at now: NIODeadline) {
        guard wait != self.wait else { return }
        self.wait = wait
        self.deadline = self.limit.map { now + TimeAmount($0) }
    }

    /// Error for a client that has timed out.
    var error: WireError {
        switch self.wait {
        case .token:
            WireError(
                .timeout,
                "no token arrived within \(self.seconds); connect when there is something to send, and send a configure with "
                    + "the token first"
            )
        case .none, .firstMessage:
            WireError(
                .timeout,
                "no first message arrived within \(self.seconds); connect when there is something to send, or send a ping"
            )
        case .message:
            WireError(
                .timeout,
                "a message was not completed within \(self.seconds); send as many bytes behind the length field as it says, "
                    + "and smaller frames where the network is slow"
            )
        case .nextMessage:
            WireError(
                .timeout,
                "nothing was received for \(self.seconds); send a ping now and then to keep a quiet connection, or connect again"
            )
        }
    }

    private var limit: Duration? {
        switch self.wait {
        case .none: nil
        case .token, .firstMessage: self.limits.firstMessageTime
        case .message: self.limits.messageTime
        case .nextMessage: self.limits.idleTime
        }
    }

    private var seconds: String {
        let milliseconds = (self.limit ?? .zero).microseconds / 1000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
