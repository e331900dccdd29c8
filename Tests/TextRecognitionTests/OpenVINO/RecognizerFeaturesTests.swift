import Foundation
import Testing

@testable import TextRecognitionOpenVINO

@Suite struct RecognizerFeaturesTests {
    /// A recogniser whose two features two layers make.
    private static func recognizer(end: String = "Softmax") throws -> ONNXGraph {
        let fields = [
            ONNXFile.node("Conv", ["x", "inner"], "between"), ONNXFile.node("Relu", ["between"], "seen"),
            ONNXFile.node("MatMul", ["seen", "w"], "product"), ONNXFile.node("Add", ["product", "b"], "sum"),
            ONNXFile.node(end, ["sum"], "y"),
            ONNXFile.floats("inner", [1], [7]), ONNXFile.floats("w", [2, 3], [0, 1, 2, 3, 4, 5]),
            ONNXFile.floats("b", [3], [6, 7, 8]),
        ]
        return try #require(ONNXGraph(ONNXFile.file(fields, output: "y")))
    }

    /// What makes so many features in another way; a name stands for something else in the recogniser.
    private static func features(_ count: Int = 2, output: String = "features") throws -> ONNXGraph {
        let fields = [
            ONNXFile.node("MatMul", ["x", "inner"], "between"), ONNXFile.node("Add", ["between", "bias"], output),
            ONNXFile.floats("inner", [1, count], [Float](repeating: 1, count: count)),
            ONNXFile.floats("bias", [count], [Float](repeating: 2, count: count)),
        ]
        return try #require(ONNXGraph(ONNXFile.file(fields, output: output)))
    }

    @Test func whatMakesTheFeaturesIsReplacedAndTheLastLayerStays() throws {
        var graph = try Self.recognizer()
        #expect(RecognizerFeatures.replace(&graph, by: try Self.features()))
        #expect(graph.nodes.map(\.operation) == ["MatMul", "Add", "MatMul", "Add", "Softmax"])
        #expect(graph.nodes.map(\.outputs) == [["between"], ["seen"], ["product"], ["sum"], ["y"]])
        #expect(graph.constant("inner", of: Float.self)?.values == [1, 1])
        #expect(graph.constant("bias", of: Float.self)?.values == [2, 2])
        #expect(graph.constant("w", of: Float.self)?.shape == [2, 3])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        var (graph, other) = (try Self.recognizer(), try Self.recognizer(end: "Sigmoid"))
        #expect(!RecognizerFeatures.replace(&graph, by: try Self.features(3)))
        #expect(!RecognizerFeatures.replace(&graph, by: try Self.features(output: "told")))
        #expect(!RecognizerFeatures.replace(&other, by: try Self.features()))
    }
}
