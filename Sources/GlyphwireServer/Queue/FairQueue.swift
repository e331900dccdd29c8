internal import NIOCore

/// What waits for a worker, taken from the connections in turn.
///
/// The rule: connections with something waiting stand in a ring, in the order in which they came to have something. Each
/// turn takes the oldest element of the connection at the front, which then goes to the back if it has more. So a
/// connection that waits is served after at most one element of every other connection, however much those have sent.
///
/// A connection may have several elements in work, on all workers if the others are quiet. But the last free worker is kept
/// for connections that have nothing in work, and have something waiting or sent something within the last second: work is
/// never broken off, and so they would have to wait for something to be done that may take long.
struct FairQueue<Element> {
    /// How an element gets along with the others of its connection.
    enum Manners: Sendable {
        /// Several may be in work at a time.
        case parallel
        /// Nothing else of the connection may be in work beside it.
        case alone
        /// As ``alone``; and a newer element takes its place while it waits.
        case replaceable

        fileprivate var isAlone: Bool { self != .parallel }
    }

    /// What is known of a connection that was heard of lately.
    fileprivate struct Share {
        var waiting = CircularBuffer<(element: Element, manners: Manners)>()
        var inWork = 0
        var isAloneInWork = false
        var lastArrival: ContinuousClock.Instant

        /// Whether its first element may be in work beside those that are.
        var isReady: Bool {
            guard let first = self.waiting.first else { return false }
            return self.inWork == 0 || !first.manners.isAlone && !self.isAloneInWork
        }
    }

    /// How long a connection counts as one that may send the next element at any moment.
    private static var attention: Duration { .seconds(1) }

    /// How many elements can be in work.
    private let workers: Int
    /// Connections whose first element may be taken, each once.
    private var ring = CircularBuffer<ConnectionID>()
    private var shares: [ConnectionID: Share] = [:]

    /// Elements that are in work, of all connections.
    private(set) var inWork = 0
    /// Elements that wait, of all connections.
    private(set) var count = 0

    /// An empty queue for so many workers.
    init(workers: Int) {
        self.workers = workers
    }

    /// Whether an element may be there to be taken; ``popFirst(at:)`` may still keep the last worker free.
    var isServable: Bool { !self.ring.isEmpty && self.inWork < self.workers }

    /// Puts an element behind the others of its connection, or in the place of the last of them.
    ///
    /// - Parameters:
    ///   - element: What waits.
    ///   - connection: Whose turn it waits for.
    ///   - manners: How it gets along with the others.
    ///   - now: The time.
    /// - Returns: What it took the place of, if anything; a replaceable element that is not in work yet.
    mutating func append(
        _ element: Element,
        of connection: ConnectionID,
        _ manners: Manners,
        at now: ContinuousClock.Instant
    ) -> Element? {
        var share = self.shares.removeValue(forKey: connection) ?? Share(lastArrival: now)
        defer { self.shares[connection] = share }
        let wasReady = share.isReady
        share.lastArrival = now
        var replaced: Element?
        if let last = share.waiting.last, last.manners == .replaceable {
            replaced = last.element
            share.waiting.removeLast()
            self.count -= 1
        }
        share.waiting.append((element, manners))
        self.count += 1
        // What takes another's place takes its turn as well.
        if !wasReady, share.isReady { self.ring.append(connection) }
        return replaced
    }

    /// Takes the element whose turn it is; ``finished(_:)`` must follow.
    ///
    /// - Parameter now: The time.
    /// - Returns: `nil` if nothing waits, or what waits must not be taken yet.
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
        share.isAloneInWork = first.manners.isAlone
        if share.isReady { self.ring.append(connection) }
        self.shares[connection] = share
        return first.element
    }

    /// An element of `connection` is in work no more.
    mutating func finished(_ connection: ConnectionID) {
        self.inWork -= 1
        guard var share = self.shares.removeValue(forKey: connection) else { return }
        let wasReady = share.isReady
        share.inWork -= 1
        share.isAloneInWork = false
        if !wasReady, share.isReady { self.ring.append(connection) }
        self.shares[connection] = share
    }

    /// Forgets a connection and all that waits for its turn; what it has in work is still to be reported as finished.
    mutating func remove(_ connection: ConnectionID) {
        guard let share = self.shares.removeValue(forKey: connection) else { return }
        self.count -= share.waiting.count
        self.ring.removeAll { $0 == connection }
    }

    /// Takes out all that waits, of one connection after the other.
    mutating func removeAll() -> [Element] {
        let waiting = self.shares.values.flatMap { $0.waiting.map(\.element) }
        for connection in self.shares.keys { self.shares[connection]?.waiting.removeAll() }
        self.ring.removeAll()
        self.count = 0
        return waiting
    }

    /// Whether a connection with nothing in work has something waiting, or was heard of lately; those that were not are
    /// forgotten.
    private mutating func expectsOthers(at now: ContinuousClock.Instant) -> Bool {
        for (connection, share) in self.shares where share.inWork == 0 {
            if !share.waiting.isEmpty || share.lastArrival + Self.attention > now { return true }
            self.shares[connection] = nil
        }
        return false
    }
}

extension FairQueue: Sendable where Element: Sendable {}
extension FairQueue.Share: Sendable where Element: Sendable {}
