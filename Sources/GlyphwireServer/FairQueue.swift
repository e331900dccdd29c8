internal import NIOCore

/// What waits for a worker, taken from the connections in turn.
///
/// The rule: connections with something waiting stand in a ring, in the order in which they came to have something. Each
/// turn takes the oldest element of the connection at the front, which then goes to the back if it has more. So a
/// connection that waits is served after at most one element of every other connection, however much those have sent.
struct FairQueue<Element> {
    /// Elements of one connection that may wait.
    let capacityPerConnection: Int

    private var ring = CircularBuffer<ConnectionID>()
    private var waiting: [ConnectionID: CircularBuffer<Element>] = [:]

    /// Elements that wait, of all connections.
    private(set) var count = 0

    /// An empty queue that holds up to `capacityPerConnection` elements of each connection.
    init(capacityPerConnection: Int) {
        self.capacityPerConnection = capacityPerConnection
    }

    /// Puts an element behind the others of its connection.
    ///
    /// - Parameters:
    ///   - element: What waits.
    ///   - connection: Whose turn it waits for.
    /// - Returns: Whether there was room; if not, nothing has changed.
    mutating func append(_ element: Element, of connection: ConnectionID) -> Bool {
        let others = self.waiting[connection]?.count ?? 0
        guard others < self.capacityPerConnection else { return false }
        self.waiting[connection, default: CircularBuffer(initialCapacity: 4)].append(element)
        self.count += 1
        if others == 0 { self.ring.append(connection) }
        return true
    }

    /// Takes the element whose turn it is.
    mutating func popFirst() -> Element? {
        guard let connection = self.ring.popFirst() else { return nil }
        let element = self.waiting[connection]?.popFirst()
        self.count -= 1
        if self.waiting[connection]?.isEmpty == false { self.ring.append(connection) }
        return element
    }

    /// Forgets a connection and all that waits for its turn.
    mutating func remove(_ connection: ConnectionID) {
        guard let elements = self.waiting.removeValue(forKey: connection), !elements.isEmpty else { return }
        self.count -= elements.count
        self.ring.removeAll { $0 == connection }
    }
}

extension FairQueue: Sendable where Element: Sendable {}
