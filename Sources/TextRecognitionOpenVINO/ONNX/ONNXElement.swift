/// What the numbers of a constant are stored as, the least significant byte first.
protocol ONNXElement: BitwiseCopyable {
    /// The type's number in an ONNX file: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, `TensorProto.DataType`.
    static var elementType: Int { get }
}

extension Float: ONNXElement { static let elementType = 1 }
extension UInt8: ONNXElement { static let elementType = 2 }
extension Int8: ONNXElement { static let elementType = 3 }
