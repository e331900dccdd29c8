/// Gives a recogniser another way to what its last layer sees.
enum RecognizerFeatures {
    /// Puts a network in the place of all that a recogniser has in front of its last layer.
    ///
    /// - Parameters:
    ///   - graph: Of a recogniser.
    ///   - features: Makes of `x`, which the recogniser reads, the `features` of each step; `models/training/features` writes it.
    /// - Returns: `false` where one of them is something else; the graph is of no use then.
    static func replace(_ graph: inout ONNXGraph, by features: ONNXGraph) -> Bool {
        guard let end = RecognizerEnd(of: graph), let last = features.nodes.last, last.outputs == ["features"],
            let bias = last.operands?.constant,
            features.constant(bias, of: Float.self)?.values.count == end.weights.shape[0]
        else { return false }
        graph.removeNodes(0..<end.start)
        graph.insert(features, at: 0) { $0 == "features" ? end.features : $0 }
        return true
    }
}
