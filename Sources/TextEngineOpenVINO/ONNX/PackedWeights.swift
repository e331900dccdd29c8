internal import Foundation

/// Unpacks the weights of a graph that keeps them as bytes with a scale.
///
/// OpenVINO 2026.4.1 would calculate with the bytes, and gives wrong answers then as soon as a network has two streams.
enum PackedWeights {
    /// Makes plain numbers of a graph's weights.
    static func unpack(_ graph: inout ONNXGraph) {
        let nodes = graph.allNodes
        var casts: [String: String] = [:]
        for node in nodes where node.operation == "Cast" { casts[node.outputs[0]] = node.inputs[0] }
        var unpacked = IndexSet()
        for (index, node) in nodes.enumerated() where node.operation == "Mul" {
            guard let packed = casts[node.inputs[0]].flatMap({ graph.constant($0, of: Int8.self) }),
                let scale = graph.constant(node.inputs[1], of: Float.self),
                let weights = Self.product(packed, scale)
            else { continue }
            graph.addConstant(node.outputs[0], weights)
            unpacked.insert(index)
        }
        graph.removeNodes(unpacked)
    }

    /// Bytes times a scale that has one number for each step along one axis, or one for all.
    private static func product(_ packed: ONNXGraph.Tensor<Int8>, _ scale: ONNXGraph.Tensor<Float>) -> ONNXGraph.Tensor<
        Float
    >? {
        let axis = scale.shape.lastIndex { $0 != 1 } ?? 0
        guard scale.shape.count == packed.shape.count, !packed.shape.isEmpty,
            scale.values.count == 1 || scale.values.count == packed.shape[axis]
        else { return nil }
        let step = packed.shape[(axis + 1)...].reduce(1, *)
        let values = packed.values.enumerated().map { index, value in
            Float(value) * scale.values[index / step % scale.values.count]
        }
        return ONNXGraph.Tensor(shape: packed.shape, values: values)
    }
}
