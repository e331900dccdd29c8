internal import GlyphwireProtocol
internal import NIOCore

/// Messages of a stream: those for which the socket has no room yet, and requests that were written and have no answer.
///
/// The caller completes or fails the messages that it removes.
struct SendQueue {
    private var sends = CircularBuffer<PendingSend>()
    private var requests = RequestTable()
    /// Sequence number of the last frame.
    private var lastSequence: UInt64 = 0

    /// Whether no message waits for room.
    var isEmpty: Bool { self.sends.isEmpty }

    /// Whether requests have no answer yet.
    var isAwaitingAnswers: Bool { !self.requests.isEmpty }

    /// Header of the `end` if that was written and is the only request without an answer; otherwise `nil`.
    var onlyUnansweredEnd: MessageHeader? {
        guard let header = self.requests.onlyHeader, header.type == MessageType.end.rawValue else { return nil }
        return header
    }

    /// The message that is next; `nil` if none waits.
    var first: PendingSend? { self.sends.first }

    /// Makes a message of a frame, under its own sequence number or the next one.
    mutating func message(of frame: Frame) -> Message {
        let sequence = frame.sequence ?? self.lastSequence &+ 1
        self.lastSequence = sequence
        return frame.message(sequence: sequence)
    }

    /// Assigns the next sequence number to a request.
    mutating func numbered(_ request: Message) -> Message { self.requests.numbered(request) }

    /// Adds a message behind the others.
    mutating func append(_ send: PendingSend) { self.sends.append(send) }

    /// Adds a message before the others.
    mutating func prepend(_ send: PendingSend) { self.sends.prepend(send) }

    /// Removes the message that is next; one must wait.
    mutating func removeFirst() -> PendingSend { self.sends.removeFirst() }

    /// Adds a request that was written, to wait for its answer.
    mutating func written(_ request: PendingSend) { self.requests.add(request) }

    /// Removes the request that `line` answers; `nil` if there is none.
    mutating func removeRequest(answeredBy line: ServerLine) -> PendingSend? { self.requests.remove(answeredBy: line) }

    /// Removes the request that was written and waits with `ticket`; `nil` if there is none.
    mutating func removeRequest(_ ticket: WaitTicket) -> PendingSend? { self.requests.remove(ticket) }

    /// Removes the message that waits for room with `ticket`; `nil` if there is none.
    mutating func removeUnwritten(_ ticket: WaitTicket) -> PendingSend? {
        self.sends.firstIndex { $0.ticket === ticket }.map { self.sends.remove(at: $0) }
    }

    /// Removes all requests that were written, the oldest first.
    mutating func removeRequests() -> [PendingSend] { self.requests.removeAll() }

    /// Removes everything: requests that were written, and then messages that were not, each the oldest first.
    mutating func removeAll() -> [PendingSend] {
        defer { self.sends = CircularBuffer() }
        return self.removeRequests() + self.sends
    }
}
