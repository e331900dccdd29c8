/// Unpacks the weights of a graph that keeps them as bytes with a scale.
///
/// OpenVINO 2026.4.1 would take them for those of a network that was made to multiply bytes, and calculate so. It gave wrong
/// answers then as soon as a network had two streams.
enum PackedWeights {
    /// Makes plain numbers of a graph's weights.
    static func unpack(_ graph: inout ONNXGraph) {
        var casts: [String: String] = [:]
        var unpacked: Set<String> = []
        for node in graph.nodes where node.operation == "Cast" {
            if let number = node.inputs.first, let cast = node.outputs.first { casts[cast] = number }
        }
        for node in graph.nodes where node.operation == "Mul" && node.inputs.count == 2 && node.outputs.count == 1 {
            guard let packed = casts[node.inputs[0]].flatMap({ graph.constant($0, of: Int8.self) }),
                let scale = graph.constant(node.inputs[1], of: Float.self),
                let weights = Self.product(packed, scale)
            else { continue }
            graph.addConstant(node.outputs[0], weights)
            unpacked.insert(node.outputs[0])
        }
        graph.nodes.removeAll { unpacked.contains($0.outputs.first ?? "") }
    }

    /// Bytes times a scale that has one number for each step along one axis, or one for all.
    private static func product(
        _ packed: ONNXGraph.Tensor<Int8>,
        _ scale: ONNXGraph.Tensor<Float>
    ) -> ONNXGraph.Tensor<Float>? {
        let axes = scale.shape.indices.filter { scale.shape[$0] != 1 }
        let axis = axes.first ?? 0
        guard scale.shape.count == packed.shape.count, !packed.shape.isEmpty, axes.count <= 1,
            scale.values.count == 1 || scale.values.count == packed.shape[axis]
        else { return nil }
        let step = packed.shape[(axis + 1)...].reduce(1, *)
        let values = packed.values.enumerated().map { index, value in
            Float(value) * scale.values[index / step % scale.values.count]
        }
        return ONNXGraph.Tensor(shape: packed.shape, values: values)
    }
}
