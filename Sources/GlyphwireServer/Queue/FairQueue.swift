internal import NIOCore

/// Fair queue with round-robin scheduling of several connections' elements.
///
/// Connections with waiting elements form a ring, in the order in which they began to wait. Each step takes the oldest
/// element of the connection at the front, which then moves to the back if it has more. A connection therefore waits
/// for at most one element of every other connection, however many those have sent.
///
/// A connection may have several elements in work, on all workers if the others are idle. But the last free worker is
/// reserved for connections with nothing in work that have an element waiting, or sent one within the reservation
/// window. Work is not preempted, so they would otherwise wait for an element that may take long.
struct FairQueue<Element> {
    /// Scheduling class of a connection's elements: which of them may be in work together.
    enum SchedulingClass: Sendable {
        /// Several elements may be in work at a time.
        case parallel
        /// No other element of the connection may be in work at the same time.
        case exclusive
        /// Like ``exclusive``, but a newer element replaces it while it waits.
        case replaceable

        fileprivate var isExclusive: Bool { self != .parallel }
    }

    /// State of a connection that has sent elements recently.
    fileprivate struct Share {
        var waiting = CircularBuffer<(element: Element, schedulingClass: SchedulingClass)>()
        var inWork = 0
        var isExclusiveInWork = false
        var lastArrival: ContinuousClock.Instant

        /// Time after a connection's last element for which a worker is reserved for its next one.
        private static var reservationWindow: Duration { .seconds(1) }

        /// Time until which a worker is reserved for the next element.
        var reservationEnd: ContinuousClock.Instant { self.lastArrival + Self.reservationWindow }

        /// Whether its first element may join those in work.
        var isReady: Bool {
            guard let first = self.waiting.first else { return false }
            return self.inWork == 0 || !first.schedulingClass.isExclusive && !self.isExclusiveInWork
        }
    }

    /// Number of workers.
    private let workers: Int
    /// Connections whose first element may be taken, each once.
    private var ring = CircularBuffer<ConnectionID>()
    private var shares: [ConnectionID: Share] = [:]

    /// Number of elements in work, of all connections.
    private(set) var inWork = 0
    /// Number of waiting elements, of all connections.
    private(set) var count = 0

    /// Creates an empty queue for `workers` threads.
    init(workers: Int) {
        self.workers = workers
    }

    /// Whether an element may be available; ``popFirst(at:)`` may still reserve the last worker.
    var isServable: Bool { !self.ring.isEmpty && self.inWork < self.workers }

    /// Appends an element to its connection's, or replaces the last of them.
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
        // An element that replaces another takes its place as well.
        if !wasReady, share.isReady { self.ring.append(connection) }
        return replaced
    }

    /// Time at which elements that wait may be taken though no other connection sends any; `nil` if none waits for it.
    var reservationEnd: ContinuousClock.Instant? {
        guard self.isServable else { return nil }
        return self.shares.values.lazy.filter { $0.inWork == 0 }.map(\.reservationEnd).max()
    }

    /// Takes the next element; ``finished(_:)`` must follow.
    ///
    /// - Parameter now: The time.
    /// - Returns: `nil` if no element is waiting, or none may be taken yet.
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

    /// Records that an element of `connection` is finished.
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

    /// Removes one waiting element of a connection.
    ///
    /// - Parameters:
    ///   - connection: The connection of the element.
    ///   - matches: Whether an element is the one to remove.
    /// - Returns: The element; `nil` if it is not waiting.
    mutating func remove(_ connection: ConnectionID, where matches: (Element) -> Bool) -> Element? {
        guard var share = self.shares[connection],
            let index = share.waiting.firstIndex(where: { matches($0.element) })
        else { return nil }
        let wasReady = share.isReady
        let element = share.waiting.remove(at: index).element
        self.count -= 1
        if wasReady, !share.isReady { self.ring.removeAll { $0 == connection } }
        if !wasReady, share.isReady { self.ring.append(connection) }
        self.shares[connection] = share
        return element
    }

    /// Removes all waiting elements, one connection after another.
    mutating func removeAll() -> [Element] {
        let waiting = self.shares.values.flatMap { $0.waiting.map(\.element) }
        for connection in self.shares.keys { self.shares[connection]?.waiting.removeAll() }
        self.ring.removeAll()
        self.count = 0
        return waiting
    }

    /// Whether a connection with nothing in work needs the last free worker.
    ///
    /// It has an element waiting, or sent one within the reservation window. Other connections with nothing in work are
    /// removed.
    private mutating func expectsOthers(at now: ContinuousClock.Instant) -> Bool {
        for (connection, share) in self.shares where share.inWork == 0 {
            if !share.waiting.isEmpty || share.reservationEnd > now { return true }
            self.shares[connection] = nil
        }
        return false
    }
}

extension FairQueue: Sendable where Element: Sendable {}
extension FairQueue.Share: Sendable where Element: Sendable {}
