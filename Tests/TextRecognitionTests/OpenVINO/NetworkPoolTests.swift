import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import TextRecognitionOpenVINO

@Suite struct NetworkPoolTests {
    /// A model whose networks take one byte per input pixel.
    private static func model(in folder: TemporaryFolder) throws -> ModelCompiler {
        let memory = NetworkMemory(fixed: 0, eachPixel: 1)
        let file = try TensorConversionTests.identity(in: folder, memory: memory)
        return try ModelCompiler(file, strategy: .eachShape, runtime: OpenVINORuntime(precision: .float32))
    }

    private static func input(_ width: Int) -> NetworkInput { NetworkInput(batchSize: 1, height: 1, width: width) }

    /// Identity of the network that a pool provides.
    private static func network(_ pool: NetworkPool, _ model: ModelCompiler, _ width: Int) throws -> ObjectIdentifier {
        try pool.withNetwork(of: model, for: Self.input(width)) { ObjectIdentifier($0) }
    }

    @Test func theLeastRecentlyUsedNetworkIsEvicted() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 20)
        weak var second: Network?
        let first = try Self.network(pool, model, 8)
        try pool.withNetwork(of: model, for: Self.input(9)) { second = $0 }
        #expect(try Self.network(pool, model, 8) == first && second != nil)
        _ = try Self.network(pool, model, 10)
        #expect(second == nil)
        #expect(try Self.network(pool, model, 8) == first)
    }

    @Test func ofNetworksUsedAgainTheLeastRecentlyUsedIsEvicted() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 20)
        weak var second: Network?
        var first: ObjectIdentifier?
        for _ in 0..<2 {
            try pool.withNetwork(of: model, for: Self.input(9)) { second = $0 }
            first = try Self.network(pool, model, 8)
        }
        #expect(second != nil)
        _ = try Self.network(pool, model, 10)
        #expect(second == nil)
        #expect(try Self.network(pool, model, 8) == first)
    }

    @Test func networksUsedOnceAreEvictedBeforeThoseUsedAgain() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 20)
        let reused = try (0..<2).map { _ in try Self.network(pool, model, 5) }
        #expect(reused[0] == reused[1])
        // Each of them leaves no room for the one before.
        for width in [8, 9, 10, 11] { _ = try Self.network(pool, model, width) }
        #expect(try Self.network(pool, model, 5) == reused[0])
        // Where they are not enough, it is evicted as well.
        weak var evicted: Network?
        try pool.withNetwork(of: model, for: Self.input(5)) { evicted = $0 }
        _ = try Self.network(pool, model, 20)
        #expect(evicted == nil)
    }

    @Test func aNetworkThatIsPreparedIsTheFirstThatIsUsed() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 20)
        try pool.prepare(model, for: Self.input(8))
        let prepared = try Self.network(pool, model, 8)
        try pool.prepare(model, for: Self.input(9))
        #expect(try Self.network(pool, model, 8) == prepared)
    }

    @Test func preparingEvictsNoNetworkAndCreatesNoSecondOne() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 20)
        let first = try Self.network(pool, model, 8)
        try pool.prepare(model, for: Self.input(13))
        #expect(try Self.network(pool, model, 8) == first)
        try pool.withNetwork(of: model, for: Self.input(8)) { network throws(OpenVINOError) in
            try pool.prepare(model, for: Self.input(8))
            #expect(ObjectIdentifier(network) == first)
        }
        #expect(try Self.network(pool, model, 8) == first)
    }

    @Test func aNetworkTooLargeForThePoolIsUsedAndNotKept() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 20)
        weak var large: Network?
        try pool.withNetwork(of: model, for: Self.input(21)) { large = $0 }
        #expect(large == nil)
    }

    @Test func whoWantsTheSameNetworkAtOnceGetsOneEach() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 20)
        try pool.withNetwork(of: model, for: Self.input(8)) { one throws(OpenVINOError) in
            try pool.withNetwork(of: model, for: Self.input(8)) { other in #expect(one !== other) }
        }
    }

    @Test func whereThereIsNoRoomForAnotherWorkersTakeTurns() async throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 15)
        let inUse = NIOLockedValueBox(0)
        let used = NIOLockedValueBox<Set<ObjectIdentifier>>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<50 {
                try? pool.withNetwork(of: model, for: Self.input(8)) { network in
                    let others = inUse.withLockedValue { count in
                        defer { count += 1 }
                        return count
                    }
                    #expect(others == 0)
                    used.withLockedValue { _ = $0.insert(ObjectIdentifier(network)) }
                    inUse.withLockedValue { $0 -= 1 }
                }
            }
        }
        #expect(used.withLockedValue { $0.count } == 1)
    }

    @Test func threadsThatMeetNewInputsTogetherAllGetTheirNetworks() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 30)
        let bytes = NIOLockedValueBox<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for width in 1...8 {
                let width = 1 + (width + thread) % 8
                try? pool.withNetwork(of: model, for: Self.input(width)) { network in
                    #expect(network.bytes == width)
                    bytes.withLockedValue { $0.append(width) }
                }
            }
        }
        #expect(bytes.withLockedValue { $0.count } == 32)
    }

    @Test func aNetworkThatCannotBeCompiledTakesNoRoom() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model(in: folder)
        let pool = NetworkPool(capacity: 20)
        for _ in 0..<3 {
            #expect(throws: OpenVINOError.self) { try Self.network(pool, model, -7) }
        }
        let first = try Self.network(pool, model, 20)
        #expect(try Self.network(pool, model, 20) == first)
    }
}
