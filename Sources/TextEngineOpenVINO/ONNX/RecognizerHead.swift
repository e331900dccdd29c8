/// Has a recogniser hand out the numbers that it would make probabilities of.
///
/// What asks for the likeliest class of each step has no use for the probabilities of all the others, of which there are
/// thousands.
enum RecognizerHead {
    /// Takes the softmax off a recogniser's end.
    ///
    /// - Returns: `false` where it ends in something else; then nothing has changed.
    static func open(_ graph: inout ONNXGraph) -> Bool {
        guard graph.nodeCount > 0 else { return false }
        let last = graph.nodeCount - 1
        let softmax = graph.node(last)
        guard softmax.operation == "Softmax" else { return false }
        graph.replaceNodes(
            from: last,
            with: [ONNXGraph.Node(operation: "Identity", inputs: softmax.inputs, outputs: softmax.outputs)]
        )
        return true
    }
}
