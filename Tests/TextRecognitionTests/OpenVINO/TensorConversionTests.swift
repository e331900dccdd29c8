import Testing
import TextRecognition

@testable import TextRecognitionOpenVINO

@Suite struct TensorConversionTests {
    private static let normalization = Normalization(mean: [100, 20.5, 0], deviation: [50, 2, 0.25])

    /// A network that returns its input, as a file in `folder`.
    static func identity(in folder: TemporaryFolder, memory: NetworkMemory) throws -> ModelFile {
        let model = ONNXFile.model([ONNXFile.node("Identity", ["x"], "y")])
        return ModelFile(
            path: try folder.write(model, to: "identity.onnx"),
            sha256: nil,
            normalization: Self.normalization,
            memory: memory,
            outputPrecision: .float32
        )
    }

    /// Networks of the identity.
    private static func networks(
        in folder: TemporaryFolder,
        _ strategy: ShapeStrategy = .eachShape
    ) throws -> ModelNetworks {
        let file = try self.identity(in: folder, memory: NetworkMemory(fixed: 1, eachPixel: 0))
        let model = try ModelCompiler(file, strategy: strategy, runtime: OpenVINORuntime(precision: .float32))
        return ModelNetworks(model: model, pool: NetworkPool(capacity: 10))
    }

    /// Whether a network turns bytes into planes of numbers.
    private static func converts(
        _ network: Network,
        _ shape: InputShape,
        count: Int = 1,
        on batchSize: Int? = nil
    ) throws -> Bool {
        var isRight: [Bool] = []
        try network.infer(shape, 0..<count, on: batchSize ?? count, into: &isRight) { picture, input in
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
        let networks = try Self.networks(in: folder)
        let network = try networks.model.network(for: networks.model.strategy.input(for: shape), bytes: 1)
        #expect(try Self.converts(network, shape))
    }

    @Test func linesOfAllWidthsGoThroughANetworkWhoseWidthIsDynamicOneByOne() throws {
        let folder = try TemporaryFolder()
        let networks = try Self.networks(in: folder, .dynamicWidthOneByOne)
        let shapes = [7, 32, 1, 32].map { InputShape(height: 4, width: $0) }
        let input = networks.model.strategy.input(for: shapes[0], count: 4)
        #expect(networks.model.strategy.batchSize(4, width: 7) == 1)
        let network = try networks.model.network(for: input, bytes: 1)
        for shape in shapes {
            #expect(networks.model.strategy.input(for: shape) == input)
            #expect(try Self.converts(network, shape))
        }
    }

    @Test func aModelGivesNetworksForOneInputAfterTheOther() throws {
        let folder = try TemporaryFolder()
        let model = try Self.networks(in: folder).model
        let shapes = [(4, 7), (32, 5), (4, 7)].map { InputShape(height: $0, width: $1) }
        for shape in shapes {
            let dynamic = ShapeStrategy.dynamicWidthOneByOne.input(for: shape)
            let fixed = NetworkInput(batchSize: 1, height: shape.height, width: shape.width)
            #expect(try Self.converts(model.network(for: fixed, bytes: 1), shape))
            #expect(try Self.converts(model.network(for: dynamic, bytes: 1), shape))
        }
    }

    @Test func narrowWidthsHaveANetworkEachAndWideOnesShareOne() {
        let (narrow, wide, wider) = (240, 241, 900)
        let input = { (strategy: ShapeStrategy, width: Int) in
            strategy.input(for: InputShape(height: 4, width: width))
        }
        #expect(input(.eachNarrowWidth, narrow) == NetworkInput(batchSize: 1, height: 4, width: narrow))
        #expect(input(.eachNarrowWidth, wide) == input(.dynamicWidthOneByOne, wide))
        #expect(input(.eachNarrowWidth, wide) == input(.eachNarrowWidth, wider))
        #expect(input(.dynamicWidth, narrow) == input(.dynamicWidth, wide))
        let higher = InputShape(height: 5, width: narrow)
        #expect(ShapeStrategy.dynamicWidth.input(for: higher) != input(.dynamicWidth, narrow))
    }

    @Test func picturesGoThroughTogetherWhereTheyAreEnough() throws {
        let folder = try TemporaryFolder()
        let networks = try Self.networks(in: folder, .eachNarrowWidth)
        let (narrow, wide) = (InputShape(height: 4, width: 32), InputShape(height: 4, width: 33))
        #expect(
            (1...5).map { ShapeStrategy.eachNarrowWidth.input(for: narrow, count: $0).batchSize } == [1, 1, 4, 4, 4]
        )
        let input = ShapeStrategy.eachNarrowWidth.input(for: narrow, count: 4)
        let four = try networks.model.network(for: input, bytes: 1)
        for count in [3, 4] { #expect(try Self.converts(four, narrow, count: count, on: 4)) }
        let dynamic = try networks.model.network(for: ShapeStrategy.dynamicWidth.input(for: wide), bytes: 1)
        for (count, batch) in [(3, 4), (1, 1), (4, 4)] {
            #expect(try Self.converts(dynamic, wide, count: count, on: batch))
        }
    }

    /// Each further batch size would be a shape more for which a dynamic network keeps kernels.
    @Test(arguments: [ShapeStrategy.eachNarrowWidth, .dynamicWidth])
    func narrowLinesGoThroughAloneOrByFour(strategy: ShapeStrategy) {
        #expect((1...5).map { strategy.batchSize($0, width: 96) } == [1, 1, 4, 4, 4])
        #expect([1, 96, 240, 241, 2400, 5000].map { strategy.batchSize(4, width: $0) } == [4, 4, 4, 1, 1, 1])
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func allLinesShareAFewNetworks(size: ModelSize) {
        let inputs = size.lineStrategy.lineInputs
        #expect(inputs.count == (size == .tiny ? 4 * 2 + 1 : 1))
    }
}
