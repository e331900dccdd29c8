internal import Foundation

/// The graph of an ONNX file: as much of it as is needed to change a network's constants and its end.
///
/// Field numbers are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
struct ONNXGraph {
    /// One operation.
    struct Node {
        var operation: String
        var inputs: [String]
        var outputs: [String]
        /// `AttributeProto`s, written as they are.
        var attributes: [ProtobufMessage.Field] = []
    }

    /// Constant numbers, the last dimension running fastest.
    struct Tensor<Element> {
        var shape: [Int]
        var values: [Element]
    }

    /// Of the whole file; all but its graph.
    private var model: [ProtobufMessage.Field]
    /// Of the graph; all but its nodes, in order.
    private var rest: [ProtobufMessage.Field]
    private var nodes: [ProtobufMessage.Field]

    /// Reads a file; `nil` where it is damaged.
    init?(_ file: Data) {
        guard let model = ProtobufMessage(file), let graph = model.bytes(7).first.flatMap({ ProtobufMessage($0) })
        else {
            return nil
        }
        self.model = model.fields.filter { $0.number != 7 }
        self.nodes = graph.fields.filter { $0.number == 1 }
        self.rest = graph.fields.filter { $0.number != 1 }
    }

    /// The file.
    var serialized: Data {
        ProtobufMessage(self.model + [.message(7, self.nodes + self.rest)]).serialized
    }

    /// How many nodes there are.
    var nodeCount: Int { self.nodes.count }

    /// A node by its place in the file, which is an order in which the nodes can be run.
    func node(_ index: Int) -> Node {
        guard case .bytes(let data) = self.nodes[index].value, let message = ProtobufMessage(data) else {
            return Node(operation: "", inputs: [], outputs: [])
        }
        return Node(
            operation: message.text(4),
            inputs: message.bytes(1).map { String(decoding: $0, as: UTF8.self) },
            outputs: message.bytes(2).map { String(decoding: $0, as: UTF8.self) }
        )
    }

    /// A constant of 32-bit floats; `nil` where there is none of that name and kind.
    func constant(_ name: String) -> Tensor<Float>? {
        self.constant(name, type: 1, byteCount: 4) { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { start in
                Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) })
            }
        }
    }

    /// A constant of signed bytes; `nil` where there is none of that name and kind.
    func bytes(_ name: String) -> Tensor<Int8>? {
        self.constant(name, type: 3, byteCount: 1) { bytes in bytes.map { Int8(bitPattern: $0) } }
    }

    private func constant<Element>(
        _ name: String,
        type: Int,
        byteCount: Int,
        _ values: ([UInt8]) -> [Element]
    ) -> Tensor<Element>? {
        for field in self.rest where field.number == 5 {
            guard case .bytes(let data) = field.value, let tensor = ProtobufMessage(data), tensor.text(8) == name,
                tensor.fields.contains(.number(2, type)), let bytes = tensor.bytes(9).first
            else { continue }
            let shape = tensor.numbers(1)
            guard bytes.count == shape.reduce(byteCount, { $0.multipliedReportingOverflow(by: $1).partialValue }) else {
                return nil
            }
            return Tensor(shape: shape, values: values([UInt8](bytes)))
        }
        return nil
    }

    /// Removes nodes by their place in the file.
    mutating func removeNodes(_ places: IndexSet) {
        self.nodes = self.nodes.enumerated().filter { !places.contains($0.offset) }.map(\.element)
    }

    /// Replaces all nodes from one on; the last of the new ones makes what the graph hands out.
    mutating func replaceNodes(from first: Int, with nodes: [Node]) {
        self.nodes.removeSubrange(first...)
        for (index, node) in nodes.enumerated() {
            self.nodes.append(
                .message(
                    1,
                    node.inputs.map { .text(1, $0) } + node.outputs.map { .text(2, $0) }
                        + [.text(3, "end.\(index)"), .text(4, node.operation)] + node.attributes
                )
            )
        }
        // Its shape is worked out anew.
        let type = ProtobufMessage.Field.message(2, [.message(1, [.number(1, 1)])])
        self.rest.removeAll { $0.number == 12 }
        self.rest.append(.message(12, (nodes.last?.outputs ?? []).map { .text(1, $0) } + [type]))
    }

    /// Adds a constant.
    mutating func addConstant(_ name: String, _ tensor: Tensor<Float>) {
        let bytes = unsafe tensor.values.withUnsafeBytes { unsafe Data($0) }
        self.rest.append(
            .message(
                5,
                tensor.shape.map { .number(1, $0) } + [.number(2, 1), .text(8, name)]
                    + [ProtobufMessage.Field(number: 9, value: .bytes(bytes))]
            )
        )
    }
}

extension ProtobufMessage.Field {
    /// An `AttributeProto` that holds an integer.
    static func attribute(_ name: String, _ value: Int) -> Self {
        .message(5, [.text(1, name), .number(3, value), .number(20, 2)])
    }

    /// An `AttributeProto` that holds integers.
    static func attribute(_ name: String, _ values: [Int]) -> Self {
        .message(5, [.text(1, name)] + values.map { .number(8, $0) } + [.number(20, 7)])
    }
}
