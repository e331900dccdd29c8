import Foundation
import TextRecognition
import Testing

@testable import TextRecognitionOpenVINO

@Suite struct RecognizerHeadTests {
    /// Four classes, of which the Han character is not common.
    private static let alphabet = Alphabet(list: "漢\na")

    /// The end of a recogniser with two features.
    private static func graph(end: String = "Softmax") throws -> ONNXGraph {
        let fields = [
            ONNXFile.node("Relu", ["x"], "features"), ONNXFile.node("MatMul", ["features", "w"], "product"),
            ONNXFile.node("Add", ["product", "b"], "sum"), ONNXFile.node("Identity", ["sum"], "scores"),
            ONNXFile.node(end, ["scores"], "y"),
            ONNXFile.floats("w", [2, 4], (0..<8).map(Float.init)), ONNXFile.floats("b", [4], [1, 2, 3, 4]),
        ]
        return try #require(ONNXGraph(ONNXFile.file(fields, output: "y")))
    }

    /// A gate that tells the same whatever it sees of so many features.
    private static func gate(telling value: Float, features: Int = 2) throws -> ONNXGraph {
        let fields = [
            ONNXFile.node("MatMul", ["features", "w"], "product"), ONNXFile.node("Add", ["product", "b"], "told"),
            ONNXFile.floats("w", [features, 1], [Float](repeating: 0, count: features)),
            ONNXFile.floats("b", [1], [value]),
        ]
        return try #require(ONNXGraph(ONNXFile.file(fields, output: "told")))
    }

    @Test func theCommonClassesComeFirst() throws {
        var graph = try Self.graph()
        #expect(RecognizerHead.hasten(&graph, Self.alphabet, gate: try Self.gate(telling: 1)))
        let common: ONNXGraph.Tensor<Float> = try #require(graph.constant("end.common.weights"))
        let all: ONNXGraph.Tensor<Float> = try #require(graph.constant("end.all.weights"))
        #expect(common.shape == [2, 3] && common.values == [0, 2, 3, 4, 6, 7])
        #expect(all.shape == [2, 4] && all.values == [0, 2, 3, 1, 4, 6, 7, 5])
        #expect(graph.constant("end.common.bias", of: Float.self)?.values == [1, 3, 4])
        #expect(graph.constant("end.all.bias", of: Float.self)?.values == [1, 3, 4, 2])
        #expect(graph.nodes.map(\.operation) == ["Relu", "MatMul", "Add", "ReduceMax", "Greater", "If"])
        #expect(graph.nodes.last?.outputs == ["y"])
    }

    @Test func whatIsNoRecognizerOfTheAlphabetIsRefused() throws {
        let gate = try Self.gate(telling: 1)
        var (other, end) = (try Self.graph(), try Self.graph(end: "Sigmoid"))
        #expect(!RecognizerHead.hasten(&end, Self.alphabet, gate: gate))
        #expect(!RecognizerHead.hasten(&other, Alphabet(list: "漢\na\nb"), gate: gate))
    }

    @Test func aGateForOtherFeaturesIsRefused() throws {
        var graph = try Self.graph()
        #expect(!RecognizerHead.hasten(&graph, Self.alphabet, gate: try Self.gate(telling: 1, features: 3)))
    }

    /// What a recogniser answers to a line of stripes, and its alphabet.
    private static func answer(
        _ size: ModelSize,
        gate value: Float,
        features: Int
    ) throws -> (shape: [Int], scores: [Float], alphabet: Alphabet) {
        let file = size.recognizer(in: Models.folder)
        let data = try #require(FileManager.default.contents(atPath: file.path))
        let alphabet = try #require(ONNXMetadata(data, of: file).alphabet)
        var graph = try #require(ONNXGraph(data))
        PackedWeights.unpack(&graph)
        try #require(RecognizerHead.hasten(&graph, alphabet, gate: Self.gate(telling: value, features: features)))
        let model = try LoadedModel(
            file,
            contents: graph.serialized,
            compilation: .openWidth,
            runtime: OpenVINORuntime()
        )
        let shape = InputShape(height: LineRecognizer.height, width: 96)
        let network = try model.network(for: model.compilation.input(for: shape), bytes: 1)
        var answers: [(shape: [Int], scores: [Float])] = []
        try network.infer(shape, 0..<1, on: 1, into: &answers) { _, input in
            for index in input.indices { input[index] = UInt8(index * 37 / 5 % 256) }
        } read: { _, output in
            (output.shape, output.values.map { (score: BFloat16) in score.float })
        }
        return (answers[0].shape, answers[0].scores, alphabet.commonFirst.alphabet)
    }

    @Test(arguments: [(ModelSize.tiny, 80), (.small, 120)])
    func theCommonClassesHaveTheScoresThatTheyHaveAmongAll(size: ModelSize, features: Int) throws {
        let few = try Self.answer(size, gate: -1, features: features)
        let all = try Self.answer(size, gate: 1, features: features)
        #expect(few.shape[1] == few.alphabet.commonCount && all.shape[1] == all.alphabet.count)
        #expect(few.alphabet.commonCount < few.alphabet.count / 10)
        let firsts = stride(from: 0, to: all.scores.count, by: all.shape[1]).flatMap {
            all.scores[$0..<$0 + few.shape[1]]
        }
        #expect(few.scores.count == firsts.count)
        #expect(zip(few.scores, firsts).allSatisfy { abs($0 - $1) <= 0.02 * max(1, abs($1)) })
    }
}
