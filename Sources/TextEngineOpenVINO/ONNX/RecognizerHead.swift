internal import TextEngine

/// Gives a recogniser a faster end.
///
/// What asks for the likeliest class of each step has no use for the probabilities of all the others, of which there are
/// thousands. Nearly all of those are Han characters, kana and signs, of which most lines show none: a gate, which
/// `models/training/gates` fits, looks at what the last layer sees of a line, and only where there may be others than the
/// common classes is it asked for all.
enum RecognizerHead {
    /// What stands at a recogniser's end.
    private static let operations = ["MatMul", "Add", "Softmax"]

    /// Has a recogniser's graph hand out the numbers that it would make probabilities of, and where its gate finds nothing else
    /// in any of the lines that come in together, those of the common classes alone.
    ///
    /// - Parameters:
    ///   - graph: Of a model whose classes are those of `alphabet`.
    ///   - alphabet: In the order of the model; the answer's is ``Alphabet/commonFirst``.
    ///   - gate: Makes a number of each step's features that is above zero where they may show something else.
    /// - Returns: `false` where one of them is something else; the graph is of no use then.
    static func hasten(_ graph: inout ONNXGraph, _ alphabet: Alphabet, gate: ONNXGraph) -> Bool {
        let end = graph.nodes.filter { $0.operation != "Identity" }.suffix(3)
        guard end.map(\.operation) == Self.operations, let product = end.first, let softmax = end.last,
            let first = graph.nodes.firstIndex(where: { $0.outputs == product.outputs }),
            let features = product.inputs.first,
            let weights: ONNXGraph.Tensor<Float> = product.inputs.last.flatMap({ graph.constant($0) }),
            let bias: ONNXGraph.Tensor<Float> = end[end.startIndex + 1].inputs.last.flatMap({ graph.constant($0) }),
            weights.shape.count == 2, weights.shape[1] == alphabet.count, bias.values.count == alphabet.count,
            let told = graph.add(gate, reading: features, featureCount: weights.shape[0])
        else { return false }
        let (ordered, order) = alphabet.commonFirst
        let gateNodes = graph.nodes.suffix(gate.nodes.count)
        let parts = [("common", ordered.commonCount), ("all", ordered.count)].map { name, count in
            Self.layer("end." + name, Array(order.prefix(count)), of: features, weights, bias, &graph)
        }
        graph.addConstant("end.zero", ONNXGraph.Tensor(shape: [], values: [Float(0)]))
        let choice = [
            ONNXGraph.Node(
                operation: "ReduceMax",
                inputs: [told],
                outputs: ["end.most"],
                attributes: [.attribute("keepdims", 0)]
            ),
            ONNXGraph.Node(operation: "Greater", inputs: ["end.most", "end.zero"], outputs: ["end.isUncommon"]),
            ONNXGraph.Node(
                operation: "If",
                inputs: ["end.isUncommon"],
                outputs: softmax.outputs,
                attributes: [.attribute("then_branch", graph: parts[1]), .attribute("else_branch", graph: parts[0])]
            ),
        ]
        for name in [product.inputs.last, end[end.startIndex + 1].inputs.last] { graph.removeConstant(name ?? "") }
        graph.nodes.replaceSubrange(first..., with: gateNodes + choice)
        graph.handOut(softmax.outputs)
        return true
    }

    /// The nodes of a last layer for some of its classes, and the constants that they need.
    private static func layer(
        _ name: String,
        _ classes: [Int],
        of features: String,
        _ weights: ONNXGraph.Tensor<Float>,
        _ bias: ONNXGraph.Tensor<Float>,
        _ graph: inout ONNXGraph
    ) -> [ONNXGraph.Node] {
        let (inputs, outputs) = (weights.shape[0], weights.shape[1])
        let values = (0..<inputs).flatMap { input in classes.map { weights.values[input * outputs + $0] } }
        graph.addConstant(name + ".weights", ONNXGraph.Tensor(shape: [inputs, classes.count], values: values))
        graph.addConstant(
            name + ".bias",
            ONNXGraph.Tensor(shape: [classes.count], values: classes.map { bias.values[$0] })
        )
        return [
            ONNXGraph.Node(operation: "MatMul", inputs: [features, name + ".weights"], outputs: [name + ".product"]),
            ONNXGraph.Node(operation: "Add", inputs: [name + ".product", name + ".bias"], outputs: [name + ".scores"]),
        ]
    }
}

extension ONNXGraph {
    /// Adds the nodes and constants of a gate behind all others.
    ///
    /// - Returns: What the gate tells; `nil` where it is none for so many features.
    fileprivate mutating func add(_ gate: ONNXGraph, reading features: String, featureCount: Int) -> String? {
        func name(_ inner: String) -> String { inner == "features" ? features : "gate." + inner }
        guard let told = gate.nodes.last?.outputs.first else { return nil }
        var isFirst = true
        for var node in gate.nodes {
            for input in node.inputs {
                guard let constant = gate.constant(input, of: Float.self) else { continue }
                if isFirst, constant.shape.first != featureCount { return nil }
                isFirst = false
                self.addConstant(name(input), constant)
            }
            node.inputs = node.inputs.map(name)
            node.outputs = node.outputs.map(name)
            self.nodes.append(node)
        }
        return name(told)
    }
}
