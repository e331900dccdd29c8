/// Has a recogniser hand out the numbers that it would make probabilities of.
///
/// What asks for the likeliest class of each step has no use for the probabilities of all the others, of which there are
/// thousands.
enum RecognizerHead {
    /// Removes the softmax from a recogniser's end.
    ///
    /// - Returns: `false` where it ends in something else; then nothing has changed.
    static func removeSoftmax(_ graph: inout ONNXGraph) -> Bool {
        guard let softmax = graph.nodes.last, softmax.operation == "Softmax" else { return false }
        graph.nodes.removeLast()
        graph.nodes.append(ONNXGraph.Node(operation: "Identity", inputs: softmax.inputs, outputs: softmax.outputs))
        return true
    }
}
