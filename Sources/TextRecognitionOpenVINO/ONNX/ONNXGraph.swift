internal import Foundation

/// The graph of an ONNX file: as much of it as is needed to change a network's constants and its nodes.
///
/// Field numbers are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
struct ONNXGraph {
    /// One operation.
    struct Node {
        var operation: String
        var inputs: [String]
        var outputs: [String]
        /// `AttributeProto`s, and whatever else the file says of it, written as they are.
        var attributes: [ProtobufMessage.Field] = []
    }

    /// Constant numbers, the last dimension running fastest.
    struct Tensor<Element> {
        var shape: [Int]
        var values: [Element]
    }

    /// In an order in which they can be run.
    var nodes: [Node]
    /// Of the whole file; all but its graph.
    private var model: [ProtobufMessage.Field]
    /// Of the graph; all but its nodes and constants.
    private var rest: [ProtobufMessage.Field]
    /// `TensorProto`s by their names.
    private var constants: [String: ProtobufMessage]

    /// Reads a file; `nil` where it is damaged.
    init?(_ file: Data) {
        guard let model = ProtobufMessage(file), let graph = model.bytes(7).first.flatMap({ ProtobufMessage($0) })
        else {
            return nil
        }
        let nodes = graph.bytes(1)
        let constants = graph.bytes(5)
        self.model = model.fields.filter { $0.number != 7 }
        self.nodes = nodes.compactMap { ProtobufMessage($0).map(Node.init) }
        let tensors = constants.compactMap { ProtobufMessage($0) }
        self.constants = Dictionary(tensors.map { ($0.text(8), $0) }) { $1 }
        self.rest = graph.fields.filter { ![1, 5].contains($0.number) }
        guard self.nodes.count == nodes.count, tensors.count == constants.count else { return nil }
    }

    /// The file.
    var serialized: Data {
        let constants = self.constants.sorted { $0.key < $1.key }.map {
            ProtobufMessage.Field.message(5, $0.value.fields)
        }
        return ProtobufMessage(self.model + [.message(7, self.nodes.map(\.field) + constants + self.rest)]).serialized
    }

    /// A constant; `nil` where there is none of that name and kind.
    func constant<Element: ONNXElement>(_ name: String, of: Element.Type = Element.self) -> Tensor<Element>? {
        guard let tensor = self.constants[name], tensor.fields.contains(.number(2, Element.elementType)),
            let bytes = tensor.bytes(9).first
        else { return nil }
        let shape = tensor.numbers(1)
        let size = MemoryLayout<Element>.size
        guard shape.allSatisfy({ $0 > 0 }), bytes.count == Self.product([size] + shape) else { return nil }
        let values = unsafe [Element](unsafeUninitializedCapacity: bytes.count / size) { values, count in
            count = unsafe bytes.copyBytes(to: values) / size
        }
        return Tensor(shape: shape, values: values)
    }

    /// Has the graph hand out something else, whose shape is worked out anew.
    mutating func handOut(_ names: [String]) {
        self.rest.removeAll { $0.number == 12 }
        self.rest += names.map(ProtobufMessage.Field.output)
    }

    /// Adds a constant, or puts it in the place of another of its name.
    mutating func addConstant<Element: ONNXElement>(_ name: String, _ tensor: Tensor<Element>) {
        let bytes = unsafe tensor.values.withUnsafeBytes { unsafe Data($0) }
        self.constants[name] = ProtobufMessage(
            tensor.shape.map { .number(1, $0) } + [.number(2, Element.elementType), .text(8, name)]
                + [ProtobufMessage.Field(number: 9, value: .bytes(bytes))]
        )
    }

    /// Removes a constant.
    mutating func removeConstant(_ name: String) { self.constants[name] = nil }

    /// Removes nodes, and what is told of them and of constants that no other needs.
    mutating func removeNodes(_ range: Range<Int>) {
        self.nodes.removeSubrange(range)
        let used = Set(self.nodes.flatMap(\.inputs))
        self.constants = self.constants.filter { used.contains($0.key) }
        // The shapes of what nodes hand to each other, which are worked out where they are not told.
        self.rest.removeAll { $0.number == 13 }
    }

    /// Adds the nodes and constants of another graph.
    ///
    /// - Parameters:
    ///   - part: The other graph.
    ///   - place: Before which node.
    ///   - names: What each of its names is called here.
    mutating func insert(_ part: ONNXGraph, at place: Int, names: (String) -> String) {
        for (name, constant) in part.constants {
            let others = constant.fields.filter { $0.number != 8 }
            self.constants[names(name)] = ProtobufMessage(others + [.text(8, names(name))])
        }
        let nodes = part.nodes.map { node in
            var node = node
            node.inputs = node.inputs.map(names)
            node.outputs = node.outputs.map(names)
            return node
        }
        self.nodes.insert(contentsOf: nodes, at: place)
    }

    /// `nil` where it is beyond what a number holds.
    private static func product(_ lengths: [Int]) -> Int? {
        lengths.reduce(1) { product, length in
            product.flatMap { product in
                let (longer, isTooLong) = product.multipliedReportingOverflow(by: length)
                return isTooLong ? nil : longer
            }
        }
    }
}

extension ONNXGraph.Node {
    /// A `NodeProto`.
    fileprivate init(_ message: ProtobufMessage) {
        self.init(
            operation: message.text(4),
            inputs: message.bytes(1).map { String(decoding: $0, as: UTF8.self) },
            outputs: message.bytes(2).map { String(decoding: $0, as: UTF8.self) },
            attributes: message.fields.filter { ![1, 2, 4].contains($0.number) }
        )
    }

    /// The `NodeProto` in its graph.
    fileprivate var field: ProtobufMessage.Field {
        .message(
            1,
            self.inputs.map { .text(1, $0) } + self.outputs.map { .text(2, $0) } + [.text(4, self.operation)]
                + self.attributes
        )
    }
}

extension ProtobufMessage.Field {
    /// An `AttributeProto` that holds an integer.
    static func attribute(_ name: String, _ value: Int) -> Self {
        .message(5, [.text(1, name), .number(3, value), .number(20, 2)])
    }

    /// What a graph hands out under a name: numbers in a shape that is worked out.
    fileprivate static func output(_ name: String) -> Self {
        .message(12, [.text(1, name), .message(2, [.message(1, [.number(1, Float.elementType)])])])
    }

    /// An `AttributeProto` that holds a graph of some nodes, which hands out what the last gives and may read what is around it.
    static func attribute(_ name: String, graph nodes: [ONNXGraph.Node]) -> Self {
        let graph = nodes.map(\.field) + [.text(2, name)] + (nodes.last?.outputs ?? []).map(Self.output)
        return .message(5, [.text(1, name), .message(6, graph), .number(20, 5)])
    }

    /// An `AttributeProto` that holds integers.
    static func attribute(_ name: String, _ values: [Int]) -> Self {
        .message(5, [.text(1, name)] + values.map { .number(8, $0) } + [.number(20, 7)])
    }
}
