internal import GlyphwireProtocol

/// Table of the requests that were written and have no answer yet, and the numbers of all requests.
struct RequestTable {
    private var waiting: [PendingSend] = []
    private var lastSequence: UInt64 = 0

    /// Whether every request has its answer.
    var isEmpty: Bool { self.waiting.isEmpty }

    /// Header of the only request that waits; `nil` if there are others, or none.
    var onlyHeader: MessageHeader? { self.waiting.count == 1 ? self.waiting.first?.message.header : nil }

    /// Assigns the next sequence number to a request.
    mutating func numbered(_ message: Message) -> Message {
        var message = message
        self.lastSequence += 1
        message.header.sequence = self.lastSequence
        return message
    }

    /// Adds a request that was written; its payload is not needed any more.
    mutating func add(_ request: PendingSend) {
        var request = request
        request.message = Message(header: request.message.header)
        self.waiting.append(request)
    }

    /// Removes the request that `line` answers; `nil` if there is none.
    mutating func remove(answeredBy line: ServerLine) -> PendingSend? {
        self.waiting.firstIndex { line.answers($0.message.header) }.map { self.waiting.remove(at: $0) }
    }

    /// Removes the request that waits with `ticket`; `nil` if there is none.
    mutating func remove(_ ticket: WaitTicket) -> PendingSend? {
        self.waiting.firstIndex { $0.ticket === ticket }.map { self.waiting.remove(at: $0) }
    }

    /// Removes all requests, the oldest first.
    mutating func removeAll() -> [PendingSend] {
        defer { self.waiting = [] }
        return self.waiting
    }
}
