internal import TextRecognition

/// Gives a recogniser a faster end.
///
/// What asks for the likeliest class of each step has no use for the probabilities of all the others, of which there are
/// thousands. Nearly all of those are Han characters, kana and signs, of which most lines show none: a gate, which
/// `models/training/gates` fits, looks at what the last layer sees of a line, and only where there may be others than the
/// common classes is it asked for all.
enum RecognizerHead {
    /// Has a recogniser's graph hand out the numbers that it would make probabilities of, and where its gate finds nothing else
    /// in any of the lines that come in together, those of the common classes alone.
    ///
    /// - Parameters:
    ///   - graph: Of a model whose classes are those of `alphabet`.
    ///   - alphabet: In the order of the model; the answer's is ``Alphabet/commonFirst``.
    ///   - gate: Makes a number of each step's features that is above zero where they may show something else.
    /// - Returns: `false` where one of them is something else; the graph is of no use then.
    static func hasten(_ graph: inout ONNXGraph, _ alphabet: Alphabet, gate: ONNXGraph) -> Bool {
        guard let end = RecognizerEnd(of: graph), end.weights.shape[1] == alphabet.count,
            let weights = gate.nodes.first?.operands?.constant, let told = gate.nodes.last?.outputs.first,
            gate.constant(weights, of: Float.self)?.shape.first == end.weights.shape[0]
        else { return false }
        graph.removeNodes(end.start..<graph.nodes.count)
        graph.insert(gate, at: graph.nodes.count) { $0 == "features" ? end.features : Self.ofGate($0) }
        let (ordered, order) = alphabet.commonFirst
        let layers = [("common", ordered.commonCount), ("all", ordered.count)].map { name, count in
            Self.layer("end." + name, Array(order.prefix(count)), of: end, &graph)
        }
        graph.addConstant("end.zero", ONNXGraph.Tensor(shape: [], values: [Float(0)]))
        graph.nodes += Self.choice(Self.ofGate(told), common: layers[0], all: layers[1], outputs: end.outputs)
        graph.handOut(end.outputs)
        return true
    }

    private static func ofGate(_ name: String) -> String { "gate." + name }

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
        of end: RecognizerEnd,
        _ graph: inout ONNXGraph
    ) -> [ONNXGraph.Node] {
        let (inputs, outputs) = (end.weights.shape[0], end.weights.shape[1])
        let values = (0..<inputs).flatMap { input in classes.map { end.weights.values[input * outputs + $0] } }
        graph.addConstant(name + ".weights", ONNXGraph.Tensor(shape: [inputs, classes.count], values: values))
        graph.addConstant(
            name + ".bias",
            ONNXGraph.Tensor(shape: [classes.count], values: classes.map { end.bias.values[$0] })
        )
        return [
            ONNXGraph.Node(
                operation: "MatMul",
                inputs: [end.features, name + ".weights"],
                outputs: [name + ".product"]
            ),
            ONNXGraph.Node(operation: "Add", inputs: [name + ".product", name + ".bias"], outputs: [name + ".scores"]),
        ]
    }
}
