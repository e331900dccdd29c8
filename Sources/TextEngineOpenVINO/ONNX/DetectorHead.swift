internal import Foundation

/// Gives a differentiable-binarization detector a faster end.
///
/// The head of such a network enlarges its features twice, from a quarter of the picture's size to the whole, with
/// transposed convolutions of 2 x 2 that do not overlap. That is four 1 x 1 convolutions side by side, one for each of the
/// four pixels that a pixel becomes, and those run several times as fast. The second enlargement is left out: what it would
/// make of a pixel is averaged before the sigmoid. The map has half the picture's width and height then, which is still
/// four times as fine as the features that it is made of, and there is a quarter of it to look through.
enum DetectorHead {
    /// What stands at a detector's end.
    private static let operations = ["ConvTranspose", "Add", "Relu", "ConvTranspose", "Add", "Sigmoid"]

    /// The file of a detector whose map has half the size; `nil` where the file is damaged or ends in something else.
    static func halved(_ file: Data) -> Data? {
        guard var graph = ONNXGraph(file),
            let first = (0..<graph.nodeCount).first(where: { graph.node($0).operation == "ConvTranspose" })
        else { return nil }
        let end = (first..<graph.nodeCount).map(graph.node).filter { $0.operation != "Identity" }
        guard end.map(\.operation) == Self.operations, let features = end[0].inputs.first,
            let weights = Weights(graph, enlarge: end[0], bias: end[1]),
            let lastWeights = Weights(graph, enlarge: end[3], bias: end[4]), lastWeights.bias.count == 1
        else { return nil }
        graph.addConstant(
            "end.enlarge",
            ONNXGraph.Tensor(shape: [4 * weights.outputs, weights.inputs, 1, 1], values: weights.enlarging)
        )
        graph.addConstant(
            "end.enlarge.bias",
            ONNXGraph.Tensor(shape: [4 * weights.outputs], values: weights.repeatedBias)
        )
        graph.addConstant(
            "end.map",
            ONNXGraph.Tensor(shape: [4, 4 * lastWeights.inputs, 1, 1], values: lastWeights.averaging)
        )
        graph.addConstant("end.map.bias", ONNXGraph.Tensor(shape: [4], values: lastWeights.repeatedBias))
        graph.replaceNodes(from: first, with: Self.nodes(features: features, map: end[5].outputs))
        return graph.serialized
    }

    private static func nodes(features: String, map: [String]) -> [ONNXGraph.Node] {
        let kernel = [ProtobufMessage.Field.attribute("kernel_shape", [1, 1])]
        return [
            ONNXGraph.Node(
                operation: "Conv",
                inputs: [features, "end.enlarge", "end.enlarge.bias"],
                outputs: ["end.pixels"],
                attributes: kernel
            ),
            ONNXGraph.Node(operation: "Relu", inputs: ["end.pixels"], outputs: ["end.active"]),
            ONNXGraph.Node(
                operation: "Conv",
                inputs: ["end.active", "end.map", "end.map.bias"],
                outputs: ["end.logits"],
                attributes: kernel
            ),
            ONNXGraph.Node(operation: "Sigmoid", inputs: ["end.logits"], outputs: ["end.four"]),
            ONNXGraph.Node(
                operation: "DepthToSpace",
                inputs: ["end.four"],
                outputs: map,
                attributes: [.attribute("blocksize", 2)]
            ),
        ]
    }

    /// The weights of a transposed convolution of 2 x 2: inputs x outputs x rows x columns.
    private struct Weights {
        let inputs: Int
        let outputs: Int
        let values: [Float]
        let bias: [Float]

        init?(_ graph: ONNXGraph, enlarge: ONNXGraph.Node, bias: ONNXGraph.Node) {
            guard let values = enlarge.inputs.last.flatMap(graph.constant)?.values,
                let bias = bias.inputs.last.flatMap(graph.constant)?.values, !bias.isEmpty, !values.isEmpty,
                values.count.isMultiple(of: 4 * bias.count)
            else { return nil }
            self.values = values
            self.bias = bias
            self.outputs = bias.count
            self.inputs = values.count / (4 * bias.count)
        }

        var repeatedBias: [Float] { (0..<4).flatMap { _ in self.bias } }

        /// Those of a convolution of 1 x 1 whose outputs are the four pixels one after the other.
        var enlarging: [Float] {
            (0..<4).flatMap { pixel in
                (0..<self.outputs).flatMap { output in
                    (0..<self.inputs).map { input in self.values[(input * self.outputs + output) * 4 + pixel] }
                }
            }
        }

        /// Those of a convolution of 1 x 1 from four pixels to four: each becomes the mean of what it would be enlarged to.
        var averaging: [Float] {
            let mean = (0..<self.inputs).map { input in self.values[(4 * input)..<(4 * input + 4)].reduce(0, +) / 4 }
            return (0..<4).flatMap { pixel in
                (0..<4).flatMap { other in other == pixel ? mean : mean.map { _ in 0 } }
            }
        }
    }
}
