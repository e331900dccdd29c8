import Foundation
import Testing

@testable import TextEngineOpenVINO

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
    private static func rounded(_ ranges: [String: ClosedRange<Float>]) throws -> ONNXGraph? {
        var graph = try #require(ONNXGraph(ONNXFile.file(Self.fields, output: "y")))
        guard ByteConvolutions.round(&graph, to: ranges) else { return nil }
        return ONNXGraph(graph.serialized)
    }

    private static func operations(_ graph: ONNXGraph) -> [String] {
        (0..<graph.nodeCount).map { [graph.node($0).operation, graph.node($0).outputs[0]].joined(separator: " ") }
    }

    @Test func anInputIsRoundedOnceForAllItsConvolutionsAndForThemAlone() throws {
        let graph = try #require(try Self.rounded(["a": 0...2.55]))
        #expect(
            Self.operations(graph) == [
                "Relu a", "QuantizeLinear a.bytes", "DequantizeLinear a.rounded", "Cast w.whole", "Mul w.rounded",
                "Conv b", "Cast v.whole", "Mul v.rounded", "Conv c", "Conv d", "Add y",
            ]
        )
        #expect(graph.node(5).inputs == ["a.rounded", "w.rounded"])
        #expect(graph.node(10).inputs == ["a", "d"])
        #expect(graph.constant("w", of: Float.self) == nil)
    }

    @Test func weightsAreAtMostHalfAStepFromWhatTheyWere() throws {
        let graph = try #require(try Self.rounded(["a": 0...2.55]))
        let bytes = try #require(graph.constant("w.bytes", of: Int8.self))
        let steps = try #require(graph.constant("w.step", of: Float.self))
        #expect(bytes.shape == [4, 2, 1, 1])
        #expect(steps.shape == [4, 1, 1, 1])
        #expect(bytes.values[0] == 127 && bytes.values[6] == -127)
        for (index, weight) in Self.weights.enumerated() {
            let step = steps.values[index / 2]
            #expect(abs(Float(bytes.values[index]) * step - weight) <= step / 2)
        }
    }

    @Test func bytesHaveASignWhereAsMuchLiesBelowZeroAsAbove() throws {
        let signed = try #require(try Self.rounded(["a": -1.28...1.27]))
        #expect(signed.constant("a.zero", of: Int8.self)?.values == [0])
        let unsigned = try #require(try Self.rounded(["a": -0.17...2.38]))
        #expect(unsigned.constant("a.zero", of: UInt8.self)?.values == [17])
        #expect(abs((unsigned.constant("a.step", of: Float.self)?.values.first ?? 0) - 0.01) < 0.0001)
    }

    @Test(arguments: ["y", "b", "none"]) func aNameThatIsNoSuchInputIsRefused(name: String) throws {
        #expect(try Self.rounded(["a": 0...1, name: 0...1]) == nil)
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func theRangesNameInputsOfTheModels(size: ModelSize) throws {
        for file in [size.detector(in: Models.folder), size.recognizer(in: Models.folder)] {
            var graph = try #require(ONNXGraph(Data(contentsOf: URL(filePath: file.path))))
            PackedWeights.unpack(&graph)
            #expect(ByteConvolutions.round(&graph, to: file.ranges), "\(file.path)")
        }
    }

    @Test func aConvolutionKeepsItsAttributes() throws {
        var convolution = ONNXFile.node("Conv", ["x", "w"], "y")
        if case .bytes(let data) = convolution.value, let message = ProtobufMessage(data) {
            convolution = .message(1, message.fields + [.attribute("kernel_shape", [1, 1])])
        }
        let file = ONNXFile.file([convolution, ONNXFile.floats("w", [1, 2, 1, 1], [1, 2])], output: "y")
        var graph = try #require(ONNXGraph(file))
        #expect(ByteConvolutions.round(&graph, to: ["x": 0...1]))
        #expect(graph.node(graph.nodeCount - 1).attributes == [.attribute("kernel_shape", [1, 1])])
    }
}
