import Foundation
import Testing
import TextRecognition

@testable import TextRecognitionOpenVINO

@Suite struct ByteConvolutionsTests {
    private static let weights: [Float] = [1, -0.5, 0.3, 0.004, 0, 0, -8, 2]
    private static let fields: [ONNXFile.Field] = [
        ONNXFile.node("Relu", ["x"], "a"), ONNXFile.node("Conv", ["a", "w"], "b"),
        ONNXFile.node("Conv", ["a", "v"], "c"), ONNXFile.node("Conv", ["b", "each"], "d"),
        ONNXFile.node("Add", ["a", "d"], "y"),
        ONNXFile.floats("w", [4, 2, 1, 1], Self.weights), ONNXFile.floats("v", [2, 2, 1, 1], [1, 2, 3, 4]),
        ONNXFile.floats("each", [4, 1, 1, 1], [1, 2, 3, 4]),
    ]

    /// The graph with its convolutions in bytes; `nil` where a range names no input of one.
    private static func rounded(
        _ ranges: [String: ClosedRange<Float>],
        sums: Processor.ByteSums = .whole
    ) throws -> ONNXGraph? {
        var graph = try #require(ONNXGraph(ONNXFile.file(Self.fields, output: "y")))
        guard ByteConvolutions.round(&graph, to: ranges, sums: sums) else { return nil }
        return ONNXGraph(graph.serialized)
    }

    private static func operations(_ graph: ONNXGraph) -> [String] {
        graph.nodes.map { "\($0.operation) \($0.outputs[0])" }
    }

    @Test func anInputIsRoundedOnceForAllItsConvolutionsAndForThemAlone() throws {
        let graph = try #require(try Self.rounded(["a": 0...2.55]))
        #expect(
            Self.operations(graph) == [
                "Cast w.whole", "Mul w", "Cast v.whole", "Mul v", "Relu a", "QuantizeLinear a.bytes",
                "DequantizeLinear a.rounded", "Conv b", "Conv c", "Conv d", "Add y",
            ]
        )
        #expect(graph.nodes[7].inputs == ["a.rounded", "w"])
        #expect(graph.nodes[10].inputs == ["a", "d"])
        #expect(graph.constant("w", of: Float.self) == nil)
    }

    @Test func weightsAreAtMostHalfAStepFromWhatTheyWere() throws {
        let graph = try #require(try Self.rounded(["a": 0...2.55]))
        let bytes = try #require(graph.constant("w.bytes", of: Int8.self))
        let scales = try #require(graph.constant("w.scale", of: Float.self))
        #expect(bytes.shape == [4, 2, 1, 1])
        #expect(scales.shape == [4, 1, 1, 1])
        #expect(bytes.values[0] == 127 && bytes.values[6] == -127)
        for (index, weight) in Self.weights.enumerated() {
            let scale = scales.values[index / 2]
            #expect(abs(Float(bytes.values[index]) * scale - weight) <= scale / 2)
        }
    }

    @Test func twoProductsFitInto16BitsWhereTheProcessorAddsThemThere() throws {
        let graph = try #require(try Self.rounded(["a": 0...2.55], sums: .in16Bits))
        // Products of one sign add up, others do not.
        #expect(try #require(graph.constant("v.bytes", of: Int8.self)).values == [42, 85, 54, 73])
        #expect(try #require(graph.constant("w.bytes", of: Int8.self)).values == [127, -64, 125, 2, 0, 0, -127, 32])
        for name in ["v", "w"] {
            let bytes = try #require(graph.constant(name + ".bytes", of: Int8.self)).values.map(Int.init)
            for index in stride(from: 0, to: bytes.count, by: 2) {
                #expect(Int16(exactly: 255 * (bytes[index] + bytes[index + 1])) != nil)
            }
        }
    }

    @Test func zeroIsOneOfTheSteps() throws {
        let graph = try #require(try Self.rounded(["a": -0.17...2.38]))
        #expect(graph.constant("a.zeroPoint", of: UInt8.self)?.values == [17])
        #expect(abs((graph.constant("a.scale", of: Float.self)?.values.first ?? 0) - 0.01) < 0.0001)
    }

    @Test(arguments: ["y", "b", "none"]) func aNameThatIsNoSuchInputIsRefused(name: String) throws {
        #expect(try Self.rounded(["a": 0...1, name: 0...1]) == nil)
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func theRangesNameInputsOfTheModels(size: ModelSize) throws {
        let recognizer = size.recognizer(in: Models.folder)
        for (path, ranges) in [
            (size.detector(in: Models.folder).path, size.detectorRanges),
            (recognizer.features?.path ?? recognizer.path, size.recognizerRanges),
        ] {
            var graph = try #require(ONNXGraph(Data(contentsOf: URL(filePath: path))))
            PackedWeights.unpack(&graph)
            #expect(ByteConvolutions.round(&graph, to: ranges), "\(path)")
        }
    }

    /// What a convolution of three planes gives for a picture; two planes, one behind the other.
    private static func convolved(
        by weights: [Float],
        to ranges: [String: ClosedRange<Float>],
        in folder: TemporaryFolder
    ) throws -> [Float] {
        let network = ONNXFile.model(
            [
                ONNXFile.node("Relu", ["x"], "a"), ONNXFile.node("Conv", ["a", "w"], "y"),
                ONNXFile.floats("w", [2, 3, 1, 1], weights),
            ],
            channels: 2
        )
        let file = ModelFile(
            path: try folder.write(Array(network), to: "convolution.onnx"),
            kind: .other,
            normalization: Normalization(mean: [128, 128, 128], deviation: [64, 64, 64]),
            memory: NetworkMemory(fixed: 1, eachPixel: 0),
            activationRanges: ranges
        )
        let input = NetworkInput(pictures: 1, height: 16, width: 16)
        let contents = try file.contents()
        let model = try LoadedModel(
            file,
            contents: contents,
            compilation: .eachShape,
            runtime: OpenVINORuntime(precision: .float32)
        )
        let compiled = try model.network(for: input, bytes: 1)
        var planes: [[Float]] = []
        try compiled.infer(InputShape(height: 16, width: 16), 0..<1, on: 1, into: &planes) { _, bytes in
            for index in bytes.indices { bytes[index] = UInt8(index * 37 % 256) }
        } read: { (_, output: ModelOutput<Float>) in
            Array(output.values)
        }
        return planes.flatMap(\.self)
    }

    @Test(.enabled(if: Processor.byteSums != .slow))
    func theRuntimeGivesTheSameButForTheRounding() throws {
        let weights: [Float] = [1, -0.5, 0.3, 0.25, 2, -0.75]
        let folder = try TemporaryFolder()
        let plain = try Self.convolved(by: weights, to: [:], in: folder)
        let rounded = try Self.convolved(by: weights, to: ["a": 0...2], in: folder)
        #expect(plain.count == 512 && rounded.count == 512 && plain != rounded)
        for (index, pair) in zip(plain, rounded).enumerated() {
            // Half a step of each input, which is at most 2, and of each weight.
            let row = weights[index / 256 * 3..<index / 256 * 3 + 3].map(abs)
            let bound = row.reduce(0, +) * (2.0 / 255) / 2 + 3 * 2 * (row.max() ?? 0) / 127 / 2
            #expect(abs(pair.0 - pair.1) <= bound * 1.01)
        }
    }

    @Test func weightsThatTwoConvolutionsShareAreRoundedOnceAndForWhoeverElseUsesThem() throws {
        let fields = [
            ONNXFile.node("Conv", ["x", "w"], "a"), ONNXFile.node("Relu", ["a"], "b"),
            ONNXFile.node("Conv", ["b", "w"], "c"), ONNXFile.node("Conv", ["b", "w"], "y"),
            ONNXFile.floats("w", [2, 2, 1, 1], [1, 2, 3, 4]),
        ]
        var graph = try #require(ONNXGraph(ONNXFile.file(fields, output: "y")))
        #expect(ByteConvolutions.round(&graph, to: ["b": 0...1]))
        #expect(
            Self.operations(graph) == [
                "Cast w.whole", "Mul w", "Conv a", "Relu b", "QuantizeLinear b.bytes", "DequantizeLinear b.rounded",
                "Conv c", "Conv y",
            ]
        )
        #expect(graph.nodes[2].inputs == ["x", "w"] && graph.nodes[7].inputs == ["b.rounded", "w"])
    }

    @Test(arguments: [Float.nan, .infinity]) func weightsThatAreNoNumbersAreRefused(weight: Float) throws {
        let fields = [ONNXFile.node("Conv", ["x", "w"], "y"), ONNXFile.floats("w", [1, 2, 1, 1], [1, weight])]
        var graph = try #require(ONNXGraph(ONNXFile.file(fields, output: "y")))
        #expect(!ByteConvolutions.round(&graph, to: ["x": 0...1]))
    }

    @Test func aConvolutionKeepsItsAttributes() throws {
        var convolution = ONNXFile.node("Conv", ["x", "w"], "y")
        if case .bytes(let data) = convolution.value, let message = ProtobufMessage(data) {
            convolution = .message(1, message.fields + [.attribute("kernel_shape", [1, 1])])
        }
        let file = ONNXFile.file([convolution, ONNXFile.floats("w", [1, 2, 1, 1], [1, 2])], output: "y")
        var graph = try #require(ONNXGraph(file))
        #expect(ByteConvolutions.round(&graph, to: ["x": 0...1]))
        #expect(graph.nodes.last?.attributes == [.attribute("kernel_shape", [1, 1])])
    }
}
