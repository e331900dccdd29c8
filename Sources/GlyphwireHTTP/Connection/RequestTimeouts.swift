internal import NIOCore

/// Timeouts of one HTTP connection: how long it waits for its client.
///
/// There is one deadline at a time, that of the action expected next. It has no clock: the caller passes the time, and
/// checks again at ``deadline``.
struct RequestTimeouts {
    /// What to do when the deadline has passed.
    enum Action: Equatable {
        /// Wait for the next deadline.
        case wait
        /// Answer the request whose body is late, by the next deadline, and receive no more.
        case answer
        /// Close the connection.
        case close
    }

    /// Client's next expected action.
    private enum Wait {
        /// No action: the server is busy.
        case none
        /// Begin another request.
        case nextRequest
        /// Send the rest of a request; then the server answers it if it is late.
        case request
    }

    /// Part of a request that is being received.
    private enum Part {
        case head, body
    }

    private let firstRequestTime: TimeAmount
    private let requestTime: TimeAmount
    private let idleTime: TimeAmount
    private var wait = Wait.none
    private var part: Part?
    /// Number of requests whose response has not ended.
    private var openRequests = 0
    /// Whether the response to the first of them has begun.
    private var isAnswering = false
    /// Whether a request was late: its response is the last, and nothing more is received.
    private(set) var isLate = false
    /// Time at which the current wait times out; `nil` while nothing is expected.
    private(set) var deadline: NIODeadline?

    /// Creates the timeouts of a new connection.
    ///
    /// - Parameters:
    ///   - firstRequestTime: The maximum time from connecting to the first byte of a request, within `idleTime`.
    ///   - requestTime: The maximum time from a request's first byte to its last.
    ///   - idleTime: The maximum time without a request.
    init(firstRequestTime: Duration, requestTime: Duration, idleTime: Duration) {
        self.firstRequestTime = TimeAmount(min(firstRequestTime, idleTime))
        self.requestTime = TimeAmount(requestTime)
        self.idleTime = TimeAmount(idleTime)
    }

    /// The connection was accepted.
    mutating func connected(at now: NIODeadline) {
        self.wait = .nextRequest
        self.deadline = now + self.firstRequestTime
    }

    /// Bytes were received, of any part of a request.
    mutating func bytesReceived(at now: NIODeadline) {
        guard self.part == nil, !self.isLate else { return }
        self.part = .head
        self.update(at: now)
    }

    /// The head of a request was received.
    mutating func headReceived(at now: NIODeadline) {
        self.openRequests += 1
        self.part = .body
        self.update(at: now)
    }

    /// The last byte of a request was received.
    mutating func requestReceived(at now: NIODeadline) {
        self.part = nil
        self.update(at: now)
    }

    /// The head of a response was written.
    mutating func responseBegan() { self.isAnswering = true }

    /// The end of a response was written, perhaps to a request that could not be parsed.
    mutating func responseEnded(at now: NIODeadline) {
        self.isAnswering = false
        self.openRequests = max(self.openRequests - 1, 0)
        self.update(at: now)
    }

    /// The deadline has passed.
    ///
    /// - Parameters:
    ///   - hasUnsentBytes: Whether the socket has not accepted all of the responses yet.
    ///   - now: The time.
    /// - Returns: What to do.
    mutating func deadlinePassed(hasUnsentBytes: Bool, at now: NIODeadline) -> Action {
        switch self.wait {
        case .none:
            return .wait
        case .nextRequest:
            guard hasUnsentBytes else { return .close }
            self.deadline = now + self.idleTime
            return .wait
        case .request:
            // Only the request that is answered next, and not yet, can have another response.
            guard self.part == .body, self.openRequests == 1, !self.isAnswering else { return .close }
            self.isLate = true
            self.part = nil
            self.deadline = now + self.requestTime
            return .answer
        }
    }

    /// Sets the client's next expected action; an unchanged one keeps its deadline.
    private mutating func update(at now: NIODeadline) {
        let wait = self.expected
        guard wait != self.wait else { return }
        self.wait = wait
        switch wait {
        case .none: self.deadline = nil
        case .nextRequest: self.deadline = now + self.idleTime
        case .request: self.deadline = now + self.requestTime
        }
    }

    private var expected: Wait {
        // The server may not read more of a request behind others until they are answered.
        switch self.part {
        case nil: self.openRequests == 0 ? .nextRequest : self.isLate ? .request : .none
        case .head: self.openRequests == 0 ? .request : .none
        case .body: self.openRequests <= 1 ? .request : .none
        }
    }
}
