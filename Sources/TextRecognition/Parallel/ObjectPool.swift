internal import NIOConcurrencyHelpers

/// A pool of objects that keep buffers, each used by one thread at a time; it grows to the number of threads.
// Safe because idle things are touched under the lock alone, and each of the others by the thread that has it.
package final class ObjectPool<Thing>: @unchecked Sendable {
    private let make: @Sendable () -> Thing
    private let lock = NIOLock()
    /// The one that was given back last, and whose buffers are most likely in a cache, is taken first.
    private var idle: [Thing] = []

    /// A pool that makes a thing where none is idle.
    package init(_ make: @escaping @Sendable () -> Thing) { self.make = make }

    /// Calls `body` with an object that no other thread uses meanwhile.
    package func withObject<Value, Failure: Error>(_ body: (Thing) throws(Failure) -> Value) throws(Failure) -> Value {
        let thing = self.lock.withLock { self.idle.popLast() } ?? self.make()
        defer { self.lock.withLock { self.idle.append(thing) } }
        return try body(thing)
    }
}
