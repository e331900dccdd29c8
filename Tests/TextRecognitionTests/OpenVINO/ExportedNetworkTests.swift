import Foundation
import Testing
import TextRecognition

@testable import TextRecognitionOpenVINO

@Suite struct ExportedNetworkTests {
    private static let small = InputShape(height: 64, width: 96)
    /// More digits than the first, and fewer rows.
    private static let wide = InputShape(height: 32, width: 1056)
    /// As many columns, and more rows.
    private static let tall = InputShape(height: 992, width: 96)
    private static let page = InputShape(height: 736, width: 1280)

    private static func input(_ shape: InputShape) -> NetworkInput { ShapeStrategy.eachShape.input(for: shape) }

    private static func detector(_ size: ModelSize, _ variant: ModelVariant = .float32) throws -> ModelCompiler {
        try ModelCompiler(size.detector(in: Models.folder, variant), strategy: .eachShape, runtime: OpenVINORuntime())
    }

    private static func recognizer(
        _ strategy: ShapeStrategy,
        _ variant: ModelVariant = .float32
    ) throws -> ModelCompiler {
        let file = ModelSize.tiny.recognizer(in: Models.folder, variant)
        return try ModelCompiler(file, strategy: strategy, runtime: OpenVINORuntime())
    }

    /// Output of a network for pictures of stripes.
    private static func answer<Number>(
        of network: Network,
        to shape: InputShape,
        count: Int = 1
    ) throws -> [[Number]] {
        var answers: [[Number]] = []
        try network.infer(shape, 0..<count, on: count, into: &answers) { picture, input in
            for index in input.indices { input[index] = UInt8((index + picture) * 37 / 5 % 256) }
        } read: { _, output in
            Array(output.values)
        }
        return answers
    }

    @Test(arguments: [ModelSize.tiny, .small], [ModelVariant.float32, .int8VNNI])
    func aDetectorThatIsReadForAnotherShapeAnswersAsOneThatIsCompiled(size: ModelSize, variant: ModelVariant) throws {
        let first = try Self.detector(size, variant)
        let start = try first.network(for: Self.input(Self.small), bytes: 1)
        #expect(start.weights == nil)
        for shape in [Self.wide, Self.tall, Self.page] {
            let read = try first.network(for: Self.input(shape), bytes: 1)
            let compiled = try Self.detector(size, variant).network(for: Self.input(shape), bytes: 1)
            try #require(read.weights != nil && compiled.weights == nil)
            let expected: [[Float]] = try Self.answer(of: compiled, to: shape)
            #expect(try Self.answer(of: read, to: shape) == expected)
        }
    }

    @Test(arguments: [(96, 4), (576, 1), (2400, 1)])
    func aRecognizerThatIsReadForAWidthAnswersAsOneThatIsCompiled(width: Int, count: Int) throws {
        let shape = InputShape(height: LineSize.height, width: width)
        let input = ModelSize.tiny.lineStrategy.input(for: shape, count: count)
        let read = try Self.recognizer(ModelSize.tiny.lineStrategy).network(for: input, bytes: 1)
        let compiled = try Self.recognizer(.eachShape).network(for: input, bytes: 1)
        try #require(read.weights != nil && compiled.weights == nil)
        let expected: [[BFloat16]] = try Self.answer(of: compiled, to: shape, count: count)
        #expect(try Self.answer(of: read, to: shape, count: count) == expected)
    }

    @Test func aRecognizerThatIsReadRoundsNoMoreThanOneThatIsCompiled() throws {
        // Its template has a dynamic width, in which the runtime sometimes rounds in another order.
        let shape = InputShape(height: LineSize.height, width: ShapeStrategy.maxNarrowWidth)
        let input = ShapeStrategy.eachNarrowWidth.input(for: shape)
        func scores(_ strategy: ShapeStrategy, _ variant: ModelVariant) throws -> [Float] {
            let network = try Self.recognizer(strategy, variant).network(for: input, bytes: 1)
            return try Self.answer(of: network, to: shape).joined().map { (score: BFloat16) in score.float }
        }
        let plain = try scores(.eachShape, .float32)
        func error(_ scores: [Float]) -> Float { zip(scores, plain).reduce(0) { $0 + abs($1.0 - $1.1) } }
        let compiled = error(try scores(.eachShape, .int8VNNI))
        #expect(compiled > 0)
        #expect(error(try scores(.eachNarrowWidth, .int8VNNI)) < 1.05 * compiled)
    }

    @Test func whatIsRefusedIsCompiled() throws {
        // A recognizer compiled for one width contains constants that are valid only for that width.
        let model = try Self.recognizer(.eachShape)
        let shapes = [96, 176].map { InputShape(height: LineSize.height, width: $0) }
        for shape in shapes {
            let network = try model.network(for: Self.input(shape), bytes: 1)
            #expect(network.weights == nil)
            let alone = try Self.recognizer(.eachShape).network(for: Self.input(shape), bytes: 1)
            let expected: [[BFloat16]] = try Self.answer(of: alone, to: shape)
            #expect(try Self.answer(of: network, to: shape) == expected)
        }
    }

    @Test func networksThatAreReadOutliveTheirModelAndOneAnother() throws {
        var model: ModelCompiler? = try Self.detector(.tiny)
        var start = try model?.network(for: Self.input(Self.small), bytes: 1)
        let expected: [[Float]] = try Self.answer(of: try #require(start), to: Self.small)
        let read = try #require(try model?.network(for: Self.input(Self.small), bytes: 1))
        _ = try model?.network(for: Self.input(Self.wide), bytes: 1)
        (model, start) = (nil, nil)
        #expect(read.weights != nil)
        #expect(try Self.answer(of: read, to: Self.small) == expected)
    }

    @Test func nothingButTheDeclarationChanges() throws {
        let written = try Self.written()
        let exported = try #require(ExportedNetwork(written))
        func file(_ shape: InputShape) throws -> [UInt8] { Array(try #require(exported.file(for: Self.input(shape)))) }
        let (first, longer) = (try file(Self.small), try file(Self.wide))
        let changed = zip(first, longer).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        #expect(longer.count == written.count)
        #expect(try #require(changed.last) - changed[0] < "<data shape=\"1,32,1056,3\"".utf8.count)
        #expect(try file(Self.small) == first)
    }

    @Test func aDeclarationThatDoesNotFitIsNotMade() throws {
        let exported = try #require(ExportedNetwork(try Self.written()))
        #expect(exported.file(for: NetworkInput(batchSize: 1, height: 12345, width: 12345)) == nil)
    }

    @Test func otherFileFormatsAreRejected() throws {
        for text in [
            "", "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\"?><data shape=\"1,64,3\"/>",
            "<?xml version=\"1.0\"?><data shape=\"1,64,..96,3\"/>", "<?xml version=\"1.0\"?><data shape=\"1,64,96,",
        ] {
            #expect(ExportedNetwork(Self.masked(text)) == nil, "\(text)")
        }
        #expect(ExportedNetwork(Self.masked("<?xml version=\"1.0\"?><data shape=\"1,64,96,3\"/>")) != nil)
        #expect(ExportedNetwork(Data("<?xml version=\"1.0\"?><data shape=\"1,64,96,3\"/>".utf8)) == nil)
    }

    /// A text under the mask of the runtime.
    private static func masked(_ text: String) -> Data {
        let mask: [UInt8] = [0x30, 0x60, 0x70, 0x02, 0x04, 0x08, 0x3F, 0x6F, 0x72, 0x74, 0x78, 0x7F]
        return Data(text.utf8.enumerated().map { $1 ^ mask[$0 % mask.count] })
    }

    /// The runtime's export of a network for the small shape.
    private static func written() throws -> Data {
        try Self.detector(.tiny).network(for: Self.input(Self.small), bytes: 1).exported()
    }

    @Test func allNetworksOfAModelAreImportedFromOneTemplate() {
        let line = InputShape(height: LineSize.height, width: 96)
        let dynamic = NetworkInput(
            batchSize: NetworkInput.dynamic,
            height: LineSize.height,
            width: NetworkInput.dynamic
        )
        func template(_ strategy: ShapeStrategy) -> NetworkInput {
            strategy.template(for: strategy.input(for: line))
        }
        #expect(template(.eachShape) == Self.input(line))
        #expect(template(.eachNarrowWidth) == dynamic)
        #expect(template(.dynamicWidth) == dynamic)
        #expect(template(.dynamicWidthOneByOne) == ShapeStrategy.dynamicWidthOneByOne.input(for: line))
    }
}
