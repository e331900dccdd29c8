internal import FramePipeline
internal import GlyphwireProtocol
internal import NIOCore

/// How long a connection waits for its client, whatever it waits for.
///
/// Pure: it is told the time, and says when to look again.
struct PeerPatience {
    /// What the client has to do next.
    enum Wait: Equatable {
        /// Nothing: the server is at work, or does not read.
        case none
        /// Show the token, or begin with the first message.
        case firstMessage
        /// Send the rest of a message; so many came before it.
        case message(number: Int)
        /// Send another message.
        case nextMessage(number: Int)
    }

    private let limits: ServerLimits
    private var wait = Wait.none
    private var start = NIODeadline.uptimeNanoseconds(0)

    /// Patience as `limits` have it.
    init(limits: ServerLimits) { self.limits = limits }

    /// What the client has to do next, as it is now; a wait that goes on keeps its start.
    mutating func waits(_ wait: Wait, at now: NIODeadline) {
        guard wait != self.wait else { return }
        self.wait = wait
        self.start = now
    }

    /// When patience ends, unless something happens until then.
    var deadline: NIODeadline? { self.limit.map { self.start + TimeAmount($0) } }

    /// What to tell the client whose time is over.
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
