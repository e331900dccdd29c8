internal import Foundation
internal import NIOConcurrencyHelpers

/// The networks of an engine: lends each worker one for the time of a run, and keeps those that were used last.
///
/// A network runs for one worker at a time, on that worker's thread. One more is compiled for the same input only where
/// several workers want it at once, so there are as many as it takes, and no more than memory allows: where there is no
/// room for another, workers take turns.
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
    /// Networks that there are, lent ones and those that are being compiled among them.
    private var counts: [Key: Int] = [:]
    /// Bytes that they take.
    private var held = 0
    /// Models from which a network is being compiled, which one thread at a time does.
    private var compiling: Set<ObjectIdentifier> = []

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
        of model: LoadedModel,
        for input: NetworkInput,
        _ body: (Network) throws(OpenVINOError) -> Value
    ) throws(OpenVINOError) -> Value {
        let key = Key(model: ObjectIdentifier(model), input: input)
        let network = try self.take(key, of: model)
        defer { self.giveBack(network, key) }
        return try body(network)
    }

    private func take(_ key: Key, of model: LoadedModel) throws(OpenVINOError) -> Network {
        let bytes = model.file.memory.bytes(for: key.input)
        var givenUp: [Idle]?
        self.condition.lock()
        while givenUp == nil {
            if let found = self.idle.lastIndex(where: { $0.key == key }) {
                let network = self.idle.remove(at: found).network
                self.condition.unlock()
                return network
            }
            if !self.compiling.contains(key.model) {
                givenUp = self.makeRoom(for: bytes, atAnyCost: self.counts[key] == nil)
            }
            // Others run it or compile: in a moment there is one.
            if givenUp == nil { self.condition.wait() }
        }
        self.compiling.insert(key.model)
        self.counts[key, default: 0] += 1
        self.held += bytes
        self.condition.unlock()
        // Freed outside the lock, like all that takes long; and before the next one comes.
        givenUp = nil
        let network = Result { () throws(OpenVINOError) in try model.compile(for: key.input, bytes: bytes) }
        self.condition.lock()
        self.compiling.remove(key.model)
        if case .failure = network { self.forget(key, bytes) }
        self.condition.broadcast()
        self.condition.unlock()
        return try network.get()
    }

    private func giveBack(_ network: Network, _ key: Key) {
        self.condition.lock()
        self.idle.append(Idle(key: key, network: network, since: .now))
        let givenUp = self.makeRoom(for: 0, atAnyCost: true)
        self.condition.broadcast()
        self.condition.unlock()
        // Freed here, and not under the lock.
        withExtendedLifetime(givenUp) {}
    }

    /// Gives up idle networks, those first that were not used for longest, until there is room.
    ///
    /// - Parameters:
    ///   - bytes: How much room.
    ///   - atAnyCost: Whether those go, too, that were used lately, and be it that all of them are not enough.
    /// - Returns: What was given up; `nil` where that would not have made the room, and nothing was.
    private func makeRoom(for bytes: Int, atAnyCost: Bool) -> [Idle]? {
        let now = ContinuousClock.now
        var count = 0
        var excess = self.held + bytes - self.capacity
        while excess > 0, count < self.idle.count,
            atAnyCost || self.idle[count].since.duration(to: now) > Self.lately
        {
            excess -= self.idle[count].network.bytes
            count += 1
        }
        guard atAnyCost || excess <= 0 else { return nil }
        let givenUp = Array(self.idle.prefix(count))
        self.idle.removeFirst(count)
        for entry in givenUp { self.forget(entry.key, entry.network.bytes) }
        return givenUp
    }

    private func forget(_ key: Key, _ bytes: Int) {
        let left = (self.counts[key] ?? 0) - 1
        self.counts[key] = left > 0 ? left : nil
        self.held -= bytes
    }
}
