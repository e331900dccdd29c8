internal import Foundation
internal import SystemSupport

/// Pool of an engine's networks, with LRU eviction: of those used recently, networks used once go first.
///
/// Pictures of ever different sizes need many networks once, which would push out those for lines that all of them need.
///
/// A network runs for one worker at a time, on that worker's thread. Another one for the same input is created only
/// when several workers need it at once, so there are as many as necessary, within the memory limit. Until it is ready,
/// and if there is no memory for it, workers wait for one: a run takes milliseconds, creating a network a hundred of
/// them.
// Safe because the state is touched under the condition's lock alone.
final class NetworkPool: @unchecked Sendable {
    /// Key of interchangeable networks.
    private struct Key: Hashable {
        var model: ObjectIdentifier
        var input: NetworkInput
    }

    private struct Idle {
        var key: Key
        var network: Network
        var since: ContinuousClock.Instant
    }

    /// Maximum number of bytes; exceeded only if one network per worker takes more.
    let capacity: Int
    private let condition = NSCondition()
    /// Idle networks, the most recently used last.
    private var idle: [Idle] = []
    /// Evicted networks that are to be freed.
    private var evicted: [Idle] = []
    /// Number of networks for each key, with those in use and being compiled.
    private var counts: [Key: Int] = [:]
    /// Estimated bytes of all networks.
    private var held = 0
    /// Models from which a network is being compiled, by one thread at a time.
    private var compiling: Set<ObjectIdentifier> = []

    /// Keys for which a second network could not be compiled, which is not retried.
    private var single: Set<Key> = []

    /// Time for which a used network is not evicted for a second one of another key.
    private static let recently = Duration.seconds(10)

    /// Creates an empty pool.
    init(capacity: Int) { self.capacity = capacity }

    /// Runs `body` with exclusive use of a network.
    ///
    /// - Parameters:
    ///   - model: The compiler, used if no network is idle.
    ///   - input: The input of the network.
    ///   - body: Closure that uses the network.
    /// - Returns: What `body` returned.
    /// - Throws: ``OpenVINOError`` if compilation fails, or the error of `body`.
    func withNetwork<Value>(
        of model: ModelCompiler,
        for input: NetworkInput,
        _ body: (Network) throws(OpenVINOError) -> Value
    ) throws(OpenVINOError) -> Value {
        let key = Key(model: ObjectIdentifier(model), input: input)
        let network = try self.take(key, of: model)
        defer { self.giveBack(network, key) }
        return try body(network)
    }

    /// Creates a network for `input`, to be used later, if there is none and room for it.
    ///
    /// - Throws: ``OpenVINOError`` if compilation fails.
    func prepare(_ model: ModelCompiler, for input: NetworkInput) throws(OpenVINOError) {
        let key = Key(model: ObjectIdentifier(model), input: input)
        let bytes = model.file.memory.bytes(for: input)
        let isNeeded = self.condition.withLock {
            while self.compiling.contains(key.model) { self.condition.wait() }
            guard self.counts[key] == nil, self.makeRoom(for: bytes, atAnyCost: false) else { return false }
            self.begin(key, bytes)
            return true
        }
        if isNeeded { _ = try self.compile(key, of: model, bytes, isForOthers: true).get() }
    }

    private func take(_ key: Key, of model: ModelCompiler) throws(OpenVINOError) -> Network {
        let bytes = model.file.memory.bytes(for: key.input)
        self.condition.lock()
        while self.counts[key] != nil || self.compiling.contains(key.model) {
            if let found = self.idle.lastIndex(where: { $0.key == key }) {
                let network = self.idle.remove(at: found).network
                network.isReused = true
                self.condition.unlock()
                return network
            }
            if !self.compiling.contains(key.model), !self.single.contains(key),
                self.makeRoom(for: bytes, atAnyCost: false)
            {
                self.begin(key, bytes)
                self.compileInBackground(key, of: model, bytes)
            }
            // Others use or compile it: one will be free soon.
            self.condition.wait()
        }
        _ = self.makeRoom(for: bytes, atAnyCost: true)
        self.begin(key, bytes)
        self.condition.unlock()
        return try self.compile(key, of: model, bytes).get()
    }

    private func giveBack(_ network: Network, _ key: Key) {
        self.condition.withLock {
            self.keep(network, key)
            self.condition.broadcast()
        }
        self.freeEvicted()
    }

    /// Adds a network to the idle ones; call it under the lock.
    private func keep(_ network: Network, _ key: Key) {
        self.idle.append(Idle(key: key, network: network, since: .now))
        _ = self.makeRoom(for: 0, atAnyCost: true)
    }

    /// Reserves memory for a network; ``compile(_:of:_:)`` must follow.
    private func begin(_ key: Key, _ bytes: Int) {
        self.compiling.insert(key.model)
        self.counts[key, default: 0] += 1
        self.held += bytes
    }

    /// Compiles a network on the caller's thread.
    ///
    /// - Parameters:
    ///   - key: The key of the network.
    ///   - model: The compiler.
    ///   - bytes: Its estimated size.
    ///   - isForOthers: Whether it is added to the idle networks, and not for the caller.
    /// - Returns: The network.
    private func compile(
        _ key: Key,
        of model: ModelCompiler,
        _ bytes: Int,
        isForOthers: Bool = false
    ) -> Result<Network, OpenVINOError> {
        self.freeEvicted()
        let network = Result { () throws(OpenVINOError) in try model.network(for: key.input, bytes: bytes) }
        self.condition.withLock {
            switch network {
            case .success(let network):
                self.compiling.remove(key.model)
                if isForOthers { self.keep(network, key) }
            case .failure: self.giveUp(key, bytes, isForOthers: isForOthers)
            }
            self.condition.broadcast()
        }
        return network
    }

    /// Takes back what ``begin(_:_:)`` has reserved for a network that cannot be compiled; call it under the lock.
    private func giveUp(_ key: Key, _ bytes: Int, isForOthers: Bool) {
        self.compiling.remove(key.model)
        self.forget(key, bytes)
        // There is none to share where the first one failed: it is tried again.
        if isForOthers, self.counts[key] != nil { self.single.insert(key) }
    }

    /// Compiles a network for other workers on a new thread; if that fails, workers continue to share.
    ///
    /// Call it under the lock.
    private func compileInBackground(_ key: Key, of model: ModelCompiler, _ bytes: Int) {
        do throws(ThreadError) {
            // The thread ends with its work, unlike those of a queue.
            try NamedThread.start(name: "compiler") {
                _ = self.compile(key, of: model, bytes, isForOthers: true)
                self.freeEvicted()
            }
        } catch {
            self.giveUp(key, bytes, isForOthers: true)
        }
    }

    /// Evicts idle networks until there is room.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes needed.
    ///   - atAnyCost: Whether recently used ones are evicted too, even if all of them are not enough.
    /// - Returns: Whether there is room; if not, nothing is evicted unless at any cost.
    private func makeRoom(for bytes: Int, atAnyCost: Bool) -> Bool {
        var excess = self.held + bytes - self.capacity
        guard excess > 0 else { return true }
        var chosen = IndexSet()
        for index in self.evictionOrder(withRecent: atAnyCost) where excess > 0 {
            excess -= self.idle[index].network.bytes
            chosen.insert(index)
        }
        guard atAnyCost || excess <= 0 else { return false }
        for index in chosen.reversed() {
            let entry = self.idle.remove(at: index)
            self.forget(entry.key, entry.network.bytes)
            self.evicted.append(entry)
        }
        return excess <= 0
    }

    /// Indices of idle networks in the order in which they are evicted: those not used recently, then those used once, then the
    /// others, the least recently used of each first.
    private func evictionOrder(withRecent: Bool) -> [Int] {
        let now = ContinuousClock.now
        let recent = self.idle.firstIndex { $0.since.duration(to: now) <= Self.recently } ?? self.idle.endIndex
        let old = Array(self.idle[..<recent].indices)
        guard withRecent else { return old }
        let others = self.idle[recent...].indices
        return old + others.filter { !self.idle[$0].network.isReused }
            + others.filter { self.idle[$0].network.isReused }
    }

    /// Frees evicted networks, outside the lock since it takes long, and before another is compiled.
    private func freeEvicted() {
        let evicted = self.condition.withLock {
            defer { self.evicted = [] }
            return self.evicted
        }
        withExtendedLifetime(evicted) {}
    }

    private func forget(_ key: Key, _ bytes: Int) {
        let left = (self.counts[key] ?? 0) - 1
        self.counts[key] = left > 0 ? left : nil
        self.held -= bytes
    }
}
