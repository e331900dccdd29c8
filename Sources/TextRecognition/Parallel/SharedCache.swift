internal import NIOConcurrencyHelpers

/// Cache of values that take long to make, which all threads share.
struct SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Number of values at most; a new one beyond it takes the place of all.
    private let maxCount: Int
    private let values = NIOLockedValueBox<[Key: Value]>([:])

    init(maxCount: Int) { self.maxCount = maxCount }

    /// Returns the value of a key, which is made where it is not known.
    func value(for key: Key, make: () -> Value) -> Value {
        if let known = self.values.withLockedValue({ $0[key] }) { return known }
        // Outside the lock: no thread waits for another one, even if two make the same.
        let value = make()
        self.values.withLockedValue { values in
            if values.count >= self.maxCount { values = [:] }
            values[key] = value
        }
        return value
    }
}
