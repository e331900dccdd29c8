internal import NIOCore

/// Fair queue: round-robin scheduling of the elements of several connections.
///
/// Connections with waiting elements form a ring, in the order in which they began to wait. Each turn takes the oldest
/// element of the connection at the front, which then goes to the back if it has more. So a connection is served after at
/// most one element of every other connection, however much those have sent.
///
/// A connection may have several elements in work, on all workers if the others are idle. But the last free worker is
/// reserved for connections that have nothing in work, and have an element waiting or sent one within the reservation
/// window: work is not preempted, so they would otherwise wait for an element that may take long.
struct FairQueue<Element> {
    /// Scheduling class: which elements of one connection may be in work together.
    enum SchedulingClass: Sendable {
        /// Several elements may be in work at a time.
        case parallel
        /// No other element of the connection may be in work at the same time.
        case exclusive
        /// As ``exclusive``; and a newer element replaces it while it waits.
        case replaceable

        fileprivate var isExclusive: Bool { self != .parallel }
    }

    /// State of a connection that has sent elements lately.
    fileprivate struct Share {
        var waiting = CircularBuffer<(element: Element, schedulingClass: SchedulingClass)>()
        var inWork = 0
        var isExclusiveInWork = false
        var lastArrival: ContinuousClock.Instant

        /// Whether its first element may be in work beside those that are.
        var isReady: Bool {
            guard let first = self.waiting.first else { return false }
            return self.inWork == 0 || !first.schedulingClass.isExclusive && !self.isExclusiveInWork
        }
    }

    /// How long after its last element a connection has a worker reserved for its next one.
    private static var reservationWindow: Duration { .seconds(1) }

    /// The number of elements that can be in work.
    private let workers: Int
    /// Connections whose first element may be taken, each once.
    private var ring = CircularBuffer<ConnectionID>()
    private var shares: [ConnectionID: Share] = [:]

    /// Elements that are in work, of all connections.
    private(set) var inWork = 0
    /// Elements that wait, of all connections.
    private(set) var count = 0

    /// An empty queue for `workers` threads.
    init(workers: Int) {
        self.workers = workers
    }

    /// Whether an element may be there to be taken; ``popFirst(at:)`` may still keep the last worker free.
    var isServable: Bool { !self.ring.isEmpty && self.inWork < self.workers }

    /// Appends an element to those of its connection, or replaces the last of them.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - connection: The connection of the element.
    ///   - schedulingClass: Which elements may be in work beside it.
    ///   - now: The time.
    /// - Returns: The element that it replaces, if any: a replaceable one that is not in work yet.
    mutating func append(
        _ element: Element,
        of connection: ConnectionID,
        _ schedulingClass: SchedulingClass,
        at now: ContinuousClock.Instant
    ) -> Element? {
        var share = self.shares.removeValue(forKey: connection) ?? Share(lastArrival: now)
        defer { self.shares[connection] = share }
        let wasReady = share.isReady
        share.lastArrival = now
        var replaced: Element?
        if let last = share.waiting.last, last.schedulingClass == .replaceable {
            replaced = last.element
            share.waiting.removeLast()
            self.count -= 1
        }
        share.waiting.append((element, schedulingClass))
        self.count += 1
        // An element that replaces another takes its turn as well.
        if !wasReady, share.isReady { self.ring.append(connection) }
        return replaced
    }

    /// Takes the next element; ``finished(_:)`` must follow.
    ///
    /// - Parameter now: The time.
    /// - Returns: `nil` if no element waits, or none may be taken yet.
    mutating func popFirst(at now: ContinuousClock.Instant) -> Element? {
        guard self.isServable else { return nil }
        let isLastWorker = self.inWork == self.workers - 1
        let index = self.ring.firstIndex { connection in
            guard isLastWorker, self.shares[connection]?.inWork ?? 0 > 0 else { return true }
            return !self.expectsOthers(at: now)
        }
        guard let index, var share = self.shares[self.ring[index]], let first = share.waiting.popFirst() else {
            return nil
        }
        let connection = self.ring.remove(at: index)
        self.count -= 1
        self.inWork += 1
        share.inWork += 1
        share.isExclusiveInWork = first.schedulingClass.isExclusive
        if share.isReady { self.ring.append(connection) }
        self.shares[connection] = share
        return first.element
    }

    /// An element of `connection` is finished.
    mutating func finished(_ connection: ConnectionID) {
        self.inWork -= 1
        guard var share = self.shares.removeValue(forKey: connection) else { return }
        let wasReady = share.isReady
        share.inWork -= 1
        share.isExclusiveInWork = false
        if !wasReady, share.isReady { self.ring.append(connection) }
        self.shares[connection] = share
    }

    /// Removes a connection and its waiting elements; those in work must still be reported as finished.
    mutating func remove(_ connection: ConnectionID) {
        guard let share = self.shares.removeValue(forKey: connection) else { return }
        self.count -= share.waiting.count
        self.ring.removeAll { $0 == connection }
    }

    /// Removes all waiting elements, of one connection after the other.
    mutating func removeAll() -> [Element] {
        let waiting = self.shares.values.flatMap { $0.waiting.map(\.element) }
        for connection in self.shares.keys { self.shares[connection]?.waiting.removeAll() }
        self.ring.removeAll()
        self.count = 0
        return waiting
    }

    /// Whether a connection with nothing in work has an element waiting, or sent one within the reservation window.
    ///
    /// Connections that have not are removed.
    private mutating func expectsOthers(at now: ContinuousClock.Instant) -> Bool {
        for (connection, share) in self.shares where share.inWork == 0 {
            if !share.waiting.isEmpty || share.lastArrival + Self.reservationWindow > now { return true }
            self.shares[connection] = nil
        }
        return false
    }
}

extension FairQueue: Sendable where Element: Sendable {}
extension FairQueue.Share: Sendable where Element: Sendable {}
