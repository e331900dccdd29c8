/// Has the convolutions of a network multiply bytes.
///
/// A processor multiplies up to four times as many bytes at a time as plain numbers. What goes into a convolution
/// is rounded to one of 256 steps, and its weights to one of 255 for each output, which is how a runtime expects it to be
/// told: https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html. Between the convolutions all stays as it is.
enum ByteConvolutions {
    /// Rounds what goes into a graph's convolutions.
    ///
    /// - Parameters:
    ///   - graph: The graph. Depthwise convolutions are left alone; they would gain nothing.
    ///   - ranges: Between what numbers an input lies, by its name; zero is among them. What lies outside is told by the
    ///     nearest of them. An input that is not named is not rounded.
    ///   - sums: How the processor sums up products of bytes; where not whole, weights are small enough for two to fit.
    /// - Returns: `false` where one of the names is no convolution's input; the graph is of no use then.
    static func round(
        _ graph: inout ONNXGraph,
        to ranges: [String: ClosedRange<Float>],
        sums: Processor.ByteSums = Processor.byteSums
    ) -> Bool {
        var weights: Set<String> = []
        // In front of all, since other nodes may use them as well.
        var nodes: [ONNXGraph.Node] = []
        for node in graph.nodes where node.operation == "Conv" && node.inputs.count > 1 {
            let name = node.inputs[1]
            guard ranges[node.inputs[0]] != nil, let numbers = Self.weights(name, graph) else { continue }
            nodes += Self.expanding(numbers, named: name, &graph, sums)
            weights.insert(name)
        }
        var rounded: Set<String> = []
        for var node in graph.nodes {
            if node.operation == "Conv", node.inputs.count > 1, let range = ranges[node.inputs[0]],
                weights.contains(node.inputs[1])
            {
                let input = node.inputs[0]
                if rounded.insert(input).inserted { nodes += Self.rounding(input, to: range, &graph) }
                node.inputs[0] = Self.rounded(input)
            }
            nodes.append(node)
        }
        graph.nodes = nodes
        return rounded.count == ranges.count
    }

    /// The weights of a convolution that gains by bytes: outputs x inputs x rows x columns, of several inputs.
    private static func weights(_ name: String, _ graph: ONNXGraph) -> ONNXGraph.Tensor<Float>? {
        guard let weights = graph.constant(name, of: Float.self), weights.shape.count == 4, weights.shape[1] > 1,
            weights.values.allSatisfy(\.isFinite)
        else { return nil }
        return weights
    }

    private static func rounded(_ name: String) -> String { name + ".rounded" }

    /// The nodes that round an input, and the constants that they need.
    private static func rounding(
        _ input: String,
        to range: ClosedRange<Float>,
        _ graph: inout ONNXGraph
    ) -> [ONNXGraph.Node] {
        let scale = (range.upperBound - range.lowerBound) / 255
        let zeroPoint = (-range.lowerBound / scale).rounded()
        graph.addConstant(input + ".scale", ONNXGraph.Tensor(shape: [], values: [scale]))
        graph.addConstant(input + ".zeroPoint", ONNXGraph.Tensor(shape: [], values: [UInt8(zeroPoint)]))
        let constants = [input + ".scale", input + ".zeroPoint"]
        return [
            ONNXGraph.Node(operation: "QuantizeLinear", inputs: [input] + constants, outputs: [input + ".bytes"]),
            ONNXGraph.Node(
                operation: "DequantizeLinear",
                inputs: [input + ".bytes"] + constants,
                outputs: [Self.rounded(input)]
            ),
        ]
    }

    /// The nodes that make numbers again of weights in bytes, under the name of those whose place they take.
    private static func expanding(
        _ weights: ONNXGraph.Tensor<Float>,
        named name: String,
        _ graph: inout ONNXGraph,
        _ sums: Processor.ByteSums
    ) -> [ONNXGraph.Node] {
        let (bytes, scales) = Self.bytes(weights, sums)
        graph.removeConstant(name)
        graph.addConstant(name + ".bytes", bytes)
        graph.addConstant(name + ".scale", scales)
        return [
            ONNXGraph.Node(
                operation: "Cast",
                inputs: [name + ".bytes"],
                outputs: [name + ".whole"],
                attributes: [.attribute("to", Float.elementType)]
            ),
            ONNXGraph.Node(
                operation: "Mul",
                inputs: [name + ".whole", name + ".scale"],
                outputs: [name]
            ),
        ]
    }

    /// Weights of outputs x inputs x rows x columns as bytes, and the scales of the outputs.
    private static func bytes(
        _ weights: ONNXGraph.Tensor<Float>,
        _ sums: Processor.ByteSums
    ) -> (bytes: ONNXGraph.Tensor<Int8>, scales: ONNXGraph.Tensor<Float>) {
        let outputs = weights.shape[0]
        let count = weights.values.count / outputs
        var bytes: [Int8] = []
        var scales: [Float] = []
        bytes.reserveCapacity(weights.values.count)
        for start in stride(from: 0, to: weights.values.count, by: count) {
            let row = weights.values[start..<start + count]
            let largest =
                sums == .whole
                ? row.reduce(0) { max($0, abs($1)) } : Self.largestSum(of: row, inputs: weights.shape[1])
            let scale = max(largest, .leastNormalMagnitude * 127) / 127
            bytes += row.map { Int8(($0 / scale).rounded()) }
            scales.append(scale)
        }
        return (
            ONNXGraph.Tensor(shape: weights.shape, values: bytes),
            ONNXGraph.Tensor(shape: [outputs] + weights.shape.dropFirst().map { _ in 1 }, values: scales)
        )
    }

    /// The most that two weights of an output come to, and so their products with inputs.
    ///
    /// AVX2 adds the products of each input with an even number and of the next in 16 bits, which hold 255 times 128, before
    /// it goes on in 32.
    private static func largestSum(of row: ArraySlice<Float>, inputs: Int) -> Float {
        let places = row.count / inputs
        var largest: Float = 0
        for input in stride(from: 0, to: inputs, by: 2) {
            for place in row.startIndex + input * places..<row.startIndex + (input + 1) * places {
                let (one, other) = (row[place], input + 1 < inputs ? row[place + places] : 0)
                largest = max(largest, max(one, 0) + max(other, 0), -min(one, 0) - min(other, 0))
            }
        }
        return largest
    }
}
