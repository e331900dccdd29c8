/// Gives a differentiable-binarization detector a faster end.
///
/// The head of such a network enlarges its features twice, from a quarter of the picture's size to the whole, with
/// transposed convolutions of 2 x 2 that do not overlap. That is four 1 x 1 convolutions side by side, one for each of the
/// four pixels that a pixel becomes, and those run several times as fast. The sixteen numbers that come of each pixel are
/// put in their places at the very end.
enum DetectorHead {
    /// What stands at a detector's end.
    private static let operations = ["ConvTranspose", "Add", "Relu", "ConvTranspose", "Add", "Sigmoid"]

    /// Gives a detector's graph another end that makes the same map.
    ///
    /// - Returns: `false` where it ends in something else; then nothing has changed.
    static func hasten(_ graph: inout ONNXGraph) -> Bool {
        guard let first = graph.nodes.firstIndex(where: { $0.operation == "ConvTranspose" }) else { return false }
        let end = graph.nodes[first...].filter { $0.operation != "Identity" }
        guard end.map(\.operation) == Self.operations, let features = end[0].inputs.first,
            let weights = Weights(graph, enlarge: end[0], bias: end[1]),
            let lastWeights = Weights(graph, enlarge: end[3], bias: end[4]), lastWeights.outputs == 1,
            lastWeights.inputs == weights.outputs
        else { return false }
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
            ONNXGraph.Tensor(shape: [16, 4 * lastWeights.inputs, 1, 1], values: lastWeights.enlargingFour)
        )
        graph.addConstant(
            "end.map.bias",
            ONNXGraph.Tensor(shape: [16], values: [Float](repeating: lastWeights.bias[0], count: 16))
        )
        graph.nodes.replaceSubrange(first..., with: Self.nodes(features: features, map: end[5].outputs))
        graph.handOut(end[5].outputs)
        return true
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
            ONNXGraph.Node(operation: "Sigmoid", inputs: ["end.logits"], outputs: ["end.sixteen"]),
            ONNXGraph.Node(
                operation: "DepthToSpace",
                inputs: ["end.sixteen"],
                outputs: map,
                attributes: [.attribute("blocksize", 4)]
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
            guard let weights: ONNXGraph.Tensor<Float> = enlarge.inputs.last.flatMap({ graph.constant($0) }),
                let bias: ONNXGraph.Tensor<Float> = bias.inputs.last.flatMap({ graph.constant($0) }),
                weights.shape.count == 4, weights.shape[1...] == [bias.values.count, 2, 2]
            else { return nil }
            self.values = weights.values
            self.bias = bias.values
            self.inputs = weights.shape[0]
            self.outputs = weights.shape[1]
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

        /// Those of a convolution of 1 x 1 from four pixels to the sixteen that they become, row by row.
        var enlargingFour: [Float] {
            (0..<16).flatMap { place -> [Float] in
                let (y, x) = place.quotientAndRemainder(dividingBy: 4)
                let (owner, part) = (y / 2 * 2 + x / 2, y % 2 * 2 + x % 2)
                let own = (0..<self.inputs).map { input in self.values[4 * input + part] }
                let other = [Float](repeating: 0, count: self.inputs)
                return (0..<4).flatMap { pixel in pixel == owner ? own : other }
            }
        }
    }
}
