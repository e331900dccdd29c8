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
        let end = Array(graph.nodes.filter { $0.operation != "Identity" }.suffix(3))
        guard end.map(\.operation) == Self.operations, let (features, weightsName) = end[0].operands,
            let biasName = end[1].inputs.last,
            let weights: ONNXGraph.Tensor<Float> = graph.constant(weightsName),
            let bias: ONNXGraph.Tensor<Float> = graph.constant(biasName),
            weights.shape.count == 2, weights.shape[1] == alphabet.count, bias.values.count == alphabet.count,
            let first = graph.nodes.firstIndex(where: { $0.outputs == end[0].outputs })
        else { return false }
        graph.nodes.removeSubrange(first...)
        guard let told = graph.add(gate, reading: features, featureCount: weights.shape[0]) else { return false }
        let (ordered, order) = alphabet.commonFirst
        let layers = [("common", ordered.commonCount), ("all", ordered.count)].map { name, count in
            Self.layer("end." + name, Array(order.prefix(count)), of: features, weights, bias, &graph)
        }
        for name in [weightsName, biasName] { graph.removeConstant(name) }
        graph.addConstant("end.zero", ONNXGraph.Tensor(shape: [], values: [Float(0)]))
        graph.nodes += Self.choice(told, common: layers[0], all: layers[1], outputs: end[2].outputs)
        graph.handOut(end[2].outputs)
        return true
    }

    /// The nodes that run one of two layers, by what a gate told of the steps of all lines.
    private static func choice(
        _ told: String,
        common: [ONNXGraph.Node],
        all: [ONNXGraph.Node],
        outputs: [String]
    ) -> [ONNXGraph.Node] {
        [
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
                outputs: outputs,
                attributes: [.attribute("then_branch", graph: all), .attribute("else_branch", graph: common)]
            ),
        ]
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
        guard let weights = gate.nodes.first?.operands?.constant, let told = gate.nodes.last?.outputs.first,
            gate.constant(weights, of: Float.self)?.shape.first == featureCount
        else { return nil }
        for var node in gate.nodes {
            for input in node.inputs {
                if let constant = gate.constant(input, of: Float.self) { self.addConstant(name(input), constant) }
            }
            node.inputs = node.inputs.map(name)
            node.outputs = node.outputs.map(name)
            self.nodes.append(node)
        }
        return name(told)
    }
}

extension ONNXGraph.Node {
    /// What it reads and by which constant, where it reads two things.
    fileprivate var operands: (value: String, constant: String)? {
        self.inputs.count == 2 ? (self.inputs[0], self.inputs[1]) : nil
    }
}
