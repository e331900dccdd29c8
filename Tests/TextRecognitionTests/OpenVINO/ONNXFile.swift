import Foundation

/// Small ONNX files for tests; field numbers are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
enum ONNXFile {
    /// A `NodeProto` in its graph.
    static func node(_ operation: String, _ inputs: [String], _ output: String) -> [UInt8] {
        let names = inputs.flatMap { Protobuf.text(1, $0) }
        return Protobuf.bytes(1, names + Protobuf.text(2, output) + Protobuf.text(4, operation))
    }

    /// A file whose `nodes` compute `y` from `x`, pictures of three planes of any size.
    static func model(_ nodes: [[UInt8]]) -> [UInt8] {
        let graph = nodes.joined() + Protobuf.text(2, "test") + self.port(11, "x") + self.port(12, "y")
        return Protobuf.integer(1, 8) + Protobuf.bytes(8, Protobuf.integer(2, 13)) + Protobuf.bytes(7, graph)
    }

    /// A `ValueInfoProto` of 1 x 3 x height x width.
    private static func port(_ number: UInt64, _ name: String) -> [UInt8] {
        let lengths = [Protobuf.integer(1, 1), Protobuf.integer(1, 3), Protobuf.text(2, "h"), Protobuf.text(2, "w")]
        let shape = Protobuf.bytes(2, lengths.flatMap { Protobuf.bytes(1, $0) })
        let type = Protobuf.bytes(2, Protobuf.bytes(1, Protobuf.integer(1, 1) + shape))
        return Protobuf.bytes(number, Protobuf.text(1, name) + type)
    }
}
