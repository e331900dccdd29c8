internal import Synchronization

/// Connection number, counted from 1 since the server started and never reused.
struct ConnectionID: Sendable, Hashable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)

    /// The number, as in logs.
    let number: UInt64

    /// Creates the ID of connection `number`.
    init(_ number: UInt64) { self.number = number }

    /// The next unused number.
    static func next() -> ConnectionID {
        ConnectionID(self.last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    var description: String { String(self.number) }
}
