import Foundation
import Testing

@testable import TextRecognitionOpenVINO

@Suite struct DetectorHeadTests {
    private static let weights: [Float] = (0..<24).map { Float(($0 * 7) % 11) / 4 - 1 }
    private static let bias: [Float] = [0.25, -0.5, 0.125]
    private static let lastWeights: [Float] = (0..<12).map { Float(($0 * 5) % 7) / 2 - 1.25 }
    private static let lastBias: Float = 0.375

    /// The end of a detector with two features, three in the middle.
    private static let fields: [ONNXFile.Field] = [
        ONNXFile.node("Relu", ["x"], "features"),
        ONNXFile.node("ConvTranspose", ["features", "w"], "a"), ONNXFile.node("Identity", ["a"], "a1"),
        ONNXFile.node("Add", ["a1", "b"], "c"), ONNXFile.node("Relu", ["c"], "d"),
        ONNXFile.node("ConvTranspose", ["d", "lw"], "e"), ONNXFile.node("Add", ["e", "lb"], "f"),
        ONNXFile.node("Sigmoid", ["f"], "map"),
        ONNXFile.floats("w", [2, 3, 2, 2], weights), ONNXFile.floats("b", [1, 3, 1, 1], bias),
        ONNXFile.floats("lw", [3, 1, 2, 2], lastWeights), ONNXFile.floats("lb", [1, 1, 1, 1], [lastBias]),
    ]

    /// A file with the new end; `nil` where it is damaged or ends in something else.
    private static func hastened(_ file: Data) -> Data? {
        guard var graph = ONNXGraph(file), DetectorHead.hasten(&graph) else { return nil }
        return graph.serialized
    }

    /// A convolution of 1 x 1 of one pixel.
    private static func convolve(_ input: [Float], _ weights: [Float], _ bias: [Float]) -> [Float] {
        bias.indices.map { output in
            input.indices.reduce(bias[output]) { $0 + input[$1] * weights[output * input.count + $1] }
        }
    }

    @Test func theNewEndGivesWhatTheOldOneGave() throws {
        let hastened = try #require(Self.hastened(ONNXFile.file(Self.fields, output: "map")))
        let graph = try #require(ONNXGraph(hastened))
        let input: [Float] = [0.75, -1.5]
        let four = Self.convolve(
            input,
            try #require(graph.constant("end.enlarge")).values,
            try #require(graph.constant("end.enlarge.bias")).values
        ).map { max(0, $0) }
        let map = Self.convolve(
            four,
            try #require(graph.constant("end.map")).values,
            try #require(graph.constant("end.map.bias")).values
        )
        for (y, x) in (0..<4).flatMap({ y in (0..<4).map { (y, $0) } }) {
            // What the transposed convolutions make of the pixel there, one after the other.
            let (pixel, place) = (y / 2 * 2 + x / 2, y % 2 * 2 + x % 2)
            let middle = Self.bias.indices.map { output in
                max(
                    0,
                    Self.bias[output]
                        + input.indices.reduce(Float(0)) {
                            $0 + input[$1] * Self.weights[($1 * 3 + output) * 4 + pixel]
                        }
                )
            }
            let expected = middle.indices.reduce(Self.lastBias) { $0 + middle[$1] * Self.lastWeights[$1 * 4 + place] }
            #expect(abs(map[4 * y + x] - expected) < 1e-5)
        }
    }

    @Test func theNodesBeforeTheHeadStayAndTheOutputKeepsItsName() throws {
        let hastened = try #require(Self.hastened(ONNXFile.file(Self.fields, output: "map")))
        let graph = try #require(ONNXGraph(hastened))
        let nodes = graph.nodes
        #expect(nodes.map(\.operation) == ["Relu", "Conv", "Relu", "Conv", "Sigmoid", "DepthToSpace"])
        #expect(nodes[1].inputs.first == "features")
        #expect(nodes.last?.outputs == ["map"])
        #expect(graph.constant("end.enlarge", of: Float.self)?.shape == [12, 2, 1, 1])
        #expect(graph.constant("end.map", of: Float.self)?.shape == [16, 12, 1, 1])
        let model = try #require(ProtobufMessage(hastened))
        #expect(model.numbers(1) == [8])
        #expect(model.text(2) == "maker")
    }

    @Test func anotherEndIsLeftAlone() {
        var fields = Self.fields
        fields[7] = ONNXFile.node("Tanh", ["f"], "map")
        #expect(Self.hastened(ONNXFile.file(fields, output: "map")) == nil)
        #expect(Self.hastened(ONNXFile.file(Array(Self.fields.prefix(1)), output: "features")) == nil)
        fields = Self.fields
        fields[8] = ONNXFile.floats("w", [2, 3, 1, 4], Self.weights)
        #expect(Self.hastened(ONNXFile.file(fields, output: "map")) == nil)
        fields[8] = ONNXFile.floats("w", [2, 3, 2, 2], Array(Self.weights.dropLast()))
        #expect(Self.hastened(ONNXFile.file(fields, output: "map")) == nil)
        #expect(Self.hastened(Data([0xFF])) == nil)
    }
}
