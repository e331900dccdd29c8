internal import Foundation

/// A pool of the networks of an engine: gives each worker one for the time of a run, and keeps those that were used last.
///
/// A network runs for one worker at a time, on that worker's thread. One more is made for the same input only where
/// several workers want it at once, so there are as many as it takes, and no more than memory allows. Until it is there, and
/// where there is no room for it, workers take turns: a run takes milliseconds, making a network a hundred of them.
// Safe because the state is touched under the condition's lock alone.
final class NetworkPool: @unchecked Sendable {
    /// What stands for networks that can take each other's place.
    private struct Key: Hashable {
        var model: ObjectIdentifier
        var input: NetworkInput
    }

    private struct Idle {
        var key: Key
        var network: Network
        var since: ContinuousClock.Instant
    }

    /// Bytes that networks may take; more only where a single one for each worker does.
    let capacity: Int
    private let condition = NSCondition()
    /// The latest used last.
    private var idle: [Idle] = []
    /// Idle ones that have made room for others, and are to be freed.
    private var givenUp: [Idle] = []
    /// Networks that there are, those in use and those that are being compiled among them.
    private var counts: [Key: Int] = [:]
    /// Bytes that they take.
    private var held = 0
    /// Models from which a network is being compiled, which one thread at a time does.
    private var compiling: Set<ObjectIdentifier> = []

    /// What could not be compiled a second time, and is not tried again.
    private var single: Set<Key> = []

    /// A network that was used so lately makes no room for a second one of another kind: it would be missed at once.
    private static let lately = Duration.seconds(10)

    /// A pool without networks.
    init(capacity: Int) { self.capacity = capacity }

    /// Runs `body` with a network that nobody else uses meanwhile.
    ///
    /// - Parameters:
    ///   - model: What it is compiled from where none is idle.
    ///   - input: What it is compiled for.
    ///   - body: Uses it.
    /// - Returns: What `body` returned.
    /// - Throws: ``OpenVINOError`` when compiling fails, or what `body` threw.
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

    private func take(_ key: Key, of model: ModelCompiler) throws(OpenVINOError) -> Network {
        let bytes = model.file.memory.bytes(for: key.input)
        self.condition.lock()
        while self.counts[key] != nil || self.compiling.contains(key.model) {
            if let found = self.idle.lastIndex(where: { $0.key == key }) {
                let network = self.idle.remove(at: found).network
                self.condition.unlock()
                return network
            }
            if !self.compiling.contains(key.model), !self.single.contains(key),
                self.makeRoom(for: bytes, atAnyCost: false)
            {
                self.begin(key, bytes)
                self.compileAside(key, of: model, bytes)
            }
            // Others run it or compile: in a moment there is one.
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
        self.freeGivenUp()
    }

    /// Puts a network among the idle ones; to be called under the lock.
    private func keep(_ network: Network, _ key: Key) {
        self.idle.append(Idle(key: key, network: network, since: .now))
        _ = self.makeRoom(for: 0, atAnyCost: true)
    }

    /// A network is about to be compiled; ``compile(_:of:_:)`` must follow.
    private func begin(_ key: Key, _ bytes: Int) {
        self.compiling.insert(key.model)
        self.counts[key, default: 0] += 1
        self.held += bytes
    }

    /// Compiles a network on the caller's thread.
    ///
    /// - Parameters:
    ///   - key: What it is.
    ///   - model: What it is compiled from.
    ///   - bytes: What it takes.
    ///   - isForOthers: Whether it is for whoever wants it next; else it is for the caller.
    /// - Returns: The network.
    private func compile(
        _ key: Key,
        of model: ModelCompiler,
        _ bytes: Int,
        isForOthers: Bool = false
    ) -> Result<Network, OpenVINOError> {
        self.freeGivenUp()
        let network = Result { () throws(OpenVINOError) in try model.network(for: key.input, bytes: bytes) }
        self.condition.withLock {
            self.compiling.remove(key.model)
            switch network {
            case .success(let network): if isForOthers { self.keep(network, key) }
            case .failure:
                self.forget(key, bytes)
                if isForOthers { self.single.insert(key) }
            }
            self.condition.broadcast()
        }
        return network
    }

    /// Compiles a network on a thread of its own, for whoever wants it next; where that fails, workers go on taking turns.
    private func compileAside(_ key: Key, of model: ModelCompiler, _ bytes: Int) {
        // Ends with its work, which threads of a queue do not.
        Thread.detachNewThread {
            _ = self.compile(key, of: model, bytes, isForOthers: true)
            self.freeGivenUp()
        }
    }

    /// Gives up idle networks, those first that were not used for longest, until there is room.
    ///
    /// - Parameters:
    ///   - bytes: How much room.
    ///   - atAnyCost: Whether those go, too, that were used lately, and be it that all of them are not enough.
    /// - Returns: Whether there is room; if not, nothing is given up unless at any cost.
    private func makeRoom(for bytes: Int, atAnyCost: Bool) -> Bool {
        let now = ContinuousClock.now
        var count = 0
        var excess = self.held + bytes - self.capacity
        while excess > 0, count < self.idle.count,
            atAnyCost || self.idle[count].since.duration(to: now) > Self.lately
        {
            excess -= self.idle[count].network.bytes
            count += 1
        }
        guard atAnyCost || excess <= 0 else { return false }
        for entry in self.idle.prefix(count) { self.forget(entry.key, entry.network.bytes) }
        self.givenUp += self.idle.prefix(count)
        self.idle.removeFirst(count)
        return excess <= 0
    }

    /// Frees what was given up; not under the lock, like all that takes long, and before anything is compiled in its place.
    private func freeGivenUp() {
        let givenUp = self.condition.withLock {
            defer { self.givenUp = [] }
            return self.givenUp
        }
        withExtendedLifetime(givenUp) {}
    }

    private func forget(_ key: Key, _ bytes: Int) {
        let left = (self.counts[key] ?? 0) - 1
        self.counts[key] = left > 0 ? left : nil
        self.held -= bytes
    }
}
