internal import FramePipeline
internal import GlyphwireProtocol
internal import NIOCore

/// Connection timeouts: how long a connection waits for its client, and for what.
///
/// Pure: the caller passes the time, and checks again at ``deadline``.
struct ConnectionTimeouts {
    /// What the client has to do next; as an outbound event, the ``ConnectionTimeoutHandler`` takes it.
    enum Wait: Equatable, Sendable {
        /// Nothing: the server is busy, or does not read.
        case none
        /// Show the token, or begin the first message.
        case firstMessage
        /// Send the rest of the message that `number` others came before.
        case message(number: Int)
        /// Send another message after `number` of them.
        case nextMessage(number: Int)
    }

    private let limits: ServerLimits
    private var wait = Wait.none
    private var start = NIODeadline.uptimeNanoseconds(0)

    /// The times of `limits`.
    init(limits: ServerLimits) { self.limits = limits }

    /// Sets what the client has to do next; a wait that goes on keeps its start.
    mutating func waits(_ wait: Wait, at now: NIODeadline) {
        guard wait != self.wait else { return }
        self.wait = wait
        self.start = now
    }

    /// The time at which the current wait times out.
    var deadline: NIODeadline? { self.limit.map { self.start + TimeAmount($0) } }

    /// The error of a client that has timed out.
    var error: WireError {
        switch self.wait {
        case .none, .firstMessage:
            WireError(
                .timeout,
                "no first message came within \(self.seconds); connect when there is something to send, or send a ping"
            )
        case .message:
            WireError(
                .timeout,
                "a message did not come to its end within \(self.seconds); send smaller frames, or over a faster network"
            )
        case .nextMessage:
            WireError(
                .timeout,
                "nothing came for \(self.seconds); send a ping now and then to keep a quiet connection, or connect again"
            )
        }
    }

    private var limit: Duration? {
        switch self.wait {
        case .none: nil
        case .firstMessage: self.limits.firstMessageTime
        case .message: self.limits.messageTime
        case .nextMessage: self.limits.idleTime
        }
    }

    private var seconds: String {
        let milliseconds = (self.limit ?? .zero).microseconds / 1000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
