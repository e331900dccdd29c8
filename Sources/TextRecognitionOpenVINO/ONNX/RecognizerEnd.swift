/// What stands at a recogniser's end: its last layer, which makes probabilities of all classes of each step's features.
struct RecognizerEnd {
    /// What the layer sees.
    let features: String
    /// Features x classes.
    let weights: ONNXGraph.Tensor<Float>
    /// Of the classes.
    let bias: ONNXGraph.Tensor<Float>
    /// What the graph hands out.
    let outputs: [String]
    /// The first of its nodes; all behind that are of it, too.
    let start: Int

    /// Finds it; `nil` where a graph ends otherwise.
    init?(of graph: ONNXGraph) {
        let end = Array(graph.nodes.filter { $0.operation != "Identity" }.suffix(3))
        guard end.map(\.operation) == ["MatMul", "Add", "Softmax"], let (features, weightsName) = end[0].operands,
            let biasName = end[1].inputs.last,
            let weights: ONNXGraph.Tensor<Float> = graph.constant(weightsName),
            let bias: ONNXGraph.Tensor<Float> = graph.constant(biasName),
            weights.shape.count == 2, bias.values.count == weights.shape[1],
            let start = graph.nodes.firstIndex(where: { $0.outputs == end[0].outputs })
        else { return nil }
        self.features = features
        self.weights = weights
        self.bias = bias
        self.outputs = end[2].outputs
        self.start = start
    }
}

extension ONNXGraph.Node {
    /// What it reads and by which constant, where it reads two things.
    var operands: (value: String, constant: String)? {
        self.inputs.count == 2 ? (self.inputs[0], self.inputs[1]) : nil
    }
}
