/// Values for a network's inputs, of which only those that were used last are kept.
struct RecentlyUsed<Value> {
    /// Values that are kept.
    let capacity: Int
    /// The latest used last.
    private var entries: [(key: NetworkInput, value: Value)] = []

    init(capacity: Int) { self.capacity = capacity }

    /// The value for `key`, made where there is none.
    ///
    /// Room is made first, so that what nobody else uses is gone before the next one comes.
    mutating func value(
        for key: NetworkInput,
        make: () throws(OpenVINOError) -> Value
    ) throws(OpenVINOError) -> Value {
        if let last = self.entries.last, last.key == key { return last.value }
        if let found = self.entries.firstIndex(where: { $0.key == key }) {
            let entry = self.entries.remove(at: found)
            self.entries.append(entry)
            return entry.value
        }
        if self.entries.count == self.capacity { self.entries.removeFirst() }
        let value = try make()
        self.entries.append((key, value))
        return value
    }
}

extension RecentlyUsed: Sendable where Value: Sendable {}
