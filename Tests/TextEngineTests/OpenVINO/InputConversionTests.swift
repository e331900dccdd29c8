import Testing
import TextEngine

@testable import TextEngineOpenVINO

@Suite struct InputConversionTests {
    private static let normalization = Normalization(mean: [100, 20.5, 0], deviation: [50, 2, 0.25])

    /// A network that answers with its input, as a file in `folder`.
    private static func identity(in folder: TemporaryFolder, _ compilation: Compilation) throws -> ModelFile {
        func text(_ number: UInt64, _ text: String) -> [UInt8] { Protobuf.bytes(number, Array(text.utf8)) }
        func port(_ number: UInt64, _ name: String) -> [UInt8] {
            let dimensions = [Protobuf.field(1, 0, [1]), Protobuf.field(1, 0, [3]), text(2, "h"), text(2, "w")]
            let shape = dimensions.flatMap { Protobuf.bytes(1, $0) }
            let tensor = Protobuf.field(1, 0, [1]) + Protobuf.bytes(2, shape)
            return Protobuf.bytes(number, text(1, name) + Protobuf.bytes(2, Protobuf.bytes(1, tensor)))
        }
        let node = text(1, "x") + text(2, "y") + text(4, "Identity")
        let graph = Protobuf.bytes(1, node) + text(2, "identity") + port(11, "x") + port(12, "y")
        let model = Protobuf.field(1, 0, [8]) + Protobuf.bytes(8, Protobuf.field(2, 0, [13])) + Protobuf.bytes(7, graph)
        return ModelFile(
            path: try folder.write(model, to: "identity.onnx"),
            kind: .recognizer,
            normalization: Self.normalization,
            precision: .float32,
            compilation: compilation,
            capacity: 2
        )
    }

    /// The networks of the identity, of which two are kept.
    private static func cache(
        in folder: TemporaryFolder,
        _ compilation: Compilation = .eachShape
    ) throws -> CompiledModelCache {
        try CompiledModelCache(self.identity(in: folder, compilation), runtime: OpenVINORuntime(), workers: 2)
    }

    /// Whether a network answers to an input of bytes with planes of their numbers.
    private static func converts(_ request: InferenceRequest, _ shape: InputShape) throws -> Bool {
        func byte(_ index: Int) -> UInt8 { UInt8(index * 37 % 256) }
        return try request.infer(shape) { input in
            for index in input.indices { input[index] = byte(index) }
        } read: { output in
            guard output.shape == [1, 3, shape.height, shape.width] else { return false }
            return output.values.enumerated().allSatisfy { place, value in
                let (channel, pixel) = place.quotientAndRemainder(dividingBy: shape.height * shape.width)
                let number = Float(byte(3 * pixel + channel))
                let expected = (number - Self.normalization.mean[channel]) / Self.normalization.deviation[channel]
                return abs(value - expected) < 1e-3
            }
        }
    }

    @Test func rowsOfBytesBecomePlanesOfNumbers() throws {
        let folder = try TemporaryFolder()
        let shape = InputShape(height: 4, width: 7)
        #expect(try Self.converts(Self.cache(in: folder).model(for: shape).makeRequest(), shape))
    }

    @Test func aNetworkWhoseWidthIsOpenTakesOneAfterTheOther() throws {
        let folder = try TemporaryFolder()
        let open = InputShape(height: 4, width: InputShape.openSide)
        let request = try Self.cache(in: folder).model(for: open).makeRequest()
        for width in [7, 32, 1, 32] { #expect(try Self.converts(request, InputShape(height: 4, width: width))) }
    }

    @Test func inputsOfAllSizesShareANetworkThatIsOpen() throws {
        let folder = try TemporaryFolder()
        let cache = try Self.cache(in: folder, .open)
        let shapes = [(4, 7), (32, 5), (1, 1), (4, 7)].map { InputShape(height: $0, width: $1) }
        let request = try cache.model(for: cache.key(for: shapes[0])).makeRequest()
        for shape in shapes {
            #expect(cache.key(for: shape) == cache.key(for: shapes[0]))
            #expect(try Self.converts(request, shape))
        }
    }

    @Test func widthsBeyondTheFixedOnesShareANetwork() throws {
        let folder = try TemporaryFolder()
        let cache = try Self.cache(in: folder, .eachWidth(upTo: 32))
        let (narrow, wide) = (InputShape(height: 4, width: 32), InputShape(height: 4, width: 33))
        #expect(cache.key(for: narrow) == narrow)
        #expect(cache.key(for: wide) == cache.key(for: InputShape(height: 4, width: 900)))
        #expect(cache.key(for: wide) != cache.key(for: InputShape(height: 5, width: 33)))
        #expect(try cache.model(for: cache.key(for: narrow)) === cache.model(for: cache.key(for: narrow)))
        #expect(try cache.model(for: cache.key(for: wide)) === cache.model(for: cache.key(for: wide)))
    }

    @Test func theNetworkUsedLongestAgoIsGivenUp() throws {
        let folder = try TemporaryFolder()
        let cache = try Self.cache(in: folder)
        let shapes = (1...3).map { InputShape(height: 4, width: 8 * $0) }
        let first = try cache.model(for: shapes[0])
        let second = try cache.model(for: shapes[1])
        #expect(try cache.model(for: shapes[0]) === first)
        _ = try cache.model(for: shapes[2])
        #expect(try cache.model(for: shapes[0]) === first)
        #expect(try cache.model(for: shapes[1]) !== second)
    }
}
