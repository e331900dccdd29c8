import Testing
import TextEngine

@testable import TextEngineOpenVINO

@Suite struct TensorConversionTests {
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
            kind: .other,
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
    private static func converts(
        _ request: InferenceRequest,
        _ shape: InputShape,
        count: Int = 1,
        on pictures: Int? = nil
    ) throws -> Bool {
        var isRight: [Bool] = []
        try request.infer(shape, 0..<count, on: pictures ?? count, into: &isRight) { picture, input in
            for index in input.indices { input[index] = Self.byte(picture, index) }
        } read: { (picture, output: ModelOutput<Float>) in
            guard output.shape == [3, shape.height, shape.width] else { return false }
            return output.values.enumerated().allSatisfy { place, value in
                let (channel, pixel) = place.quotientAndRemainder(dividingBy: shape.height * shape.width)
                let number = Float(Self.byte(picture, 3 * pixel + channel))
                let expected = (number - Self.normalization.mean[channel]) / Self.normalization.deviation[channel]
                return abs(value - expected) < 1e-3
            }
        }
        return isRight == [Bool](repeating: true, count: count)
    }

    private static func byte(_ picture: Int, _ index: Int) -> UInt8 { UInt8((picture * 11 + index * 37) % 256) }

    @Test func rowsOfBytesBecomePlanesOfNumbers() throws {
        let folder = try TemporaryFolder()
        let shape = InputShape(height: 4, width: 7)
        let cache = try Self.cache(in: folder)
        #expect(try Self.converts(cache.model(for: cache.key(for: shape)).makeRequest(), shape))
    }

    @Test func aNetworkWhoseWidthIsOpenTakesOneAfterTheOther() throws {
        let folder = try TemporaryFolder()
        let open = NetworkInput(pictures: 1, height: 4, width: NetworkInput.open)
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
        #expect(cache.key(for: narrow) == NetworkInput(pictures: 1, height: 4, width: 32))
        #expect(cache.key(for: wide) == cache.key(for: InputShape(height: 4, width: 900)))
        #expect(cache.key(for: wide) != cache.key(for: InputShape(height: 5, width: 33)))
        #expect(try cache.model(for: cache.key(for: narrow)) === cache.model(for: cache.key(for: narrow)))
        #expect(try cache.model(for: cache.key(for: wide)) === cache.model(for: cache.key(for: wide)))
    }

    @Test func picturesGoThroughTogetherWhereTheyAreEnough() throws {
        let folder = try TemporaryFolder()
        let cache = try Self.cache(in: folder, .eachWidth(upTo: 32))
        let (narrow, wide) = (InputShape(height: 4, width: 32), InputShape(height: 4, width: 33))
        #expect((1...5).map { cache.key(for: narrow, count: $0).pictures } == [1, 1, 4, 4, 4])
        let request = try cache.model(for: cache.key(for: narrow, count: 4)).makeRequest()
        for count in [3, 4] { #expect(try Self.converts(request, narrow, count: count, on: 4)) }
        let open = try cache.model(for: cache.key(for: wide)).makeRequest()
        for count in [2, 1, 4] { #expect(try Self.converts(open, wide, count: count)) }
    }

    @Test func theNetworkUsedLongestAgoIsGivenUp() throws {
        let folder = try TemporaryFolder()
        let cache = try Self.cache(in: folder)
        let shapes = (1...3).map { cache.key(for: InputShape(height: 4, width: 8 * $0)) }
        let first = try cache.model(for: shapes[0])
        let second = try cache.model(for: shapes[1])
        #expect(try cache.model(for: shapes[0]) === first)
        _ = try cache.model(for: shapes[2])
        #expect(try cache.model(for: shapes[0]) === first)
        #expect(try cache.model(for: shapes[1]) !== second)
    }
}
