internal import COpenVINO
internal import TextEngine

/// One inference context, with the memory of its input and output.
@safe
final class InferenceRequest {
    private let request: OpaquePointer
    /// Keeps the network alive: it may have left the shared cache.
    private let model: CompiledModel
    /// The memory for inputs of the shape that came last.
    private var shape = InputShape(height: 0, width: 0)
    private var input = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    init(_ request: OpaquePointer, of model: CompiledModel) {
        unsafe self.request = unsafe request
        self.model = model
    }

    deinit { unsafe ov_infer_request_free(self.request) }

    func infer<Value>(
        _ shape: InputShape,
        fill: (UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (ModelOutput) -> Value
    ) throws(OpenVINOError) -> Value {
        if shape != self.shape { try self.reshape(to: shape) }
        unsafe fill(self.input)
        try unsafe checked("run the model", ov_infer_request_infer(self.request))
        return try self.withOutput(read)
    }

    private func reshape(to shape: InputShape) throws(OpenVINOError) {
        var tensor: OpaquePointer?
        try unsafe checked("get the input tensor", ov_infer_request_get_input_tensor(self.request, &tensor))
        defer { unsafe ov_tensor_free(tensor) }
        var dimensions = [1, Int64(shape.height), Int64(shape.width), 3]
        try unsafe dimensions.withUnsafeMutableBufferPointer { dimensions throws(OpenVINOError) in
            let shape = unsafe ov_shape_t(rank: 4, dims: dimensions.baseAddress)
            try unsafe checked("shape the input tensor", ov_tensor_set_shape(tensor, shape))
        }
        unsafe self.input = try unsafe Self.memory(of: tensor)
        self.shape = shape
    }

    private func withOutput<Value>(_ read: (ModelOutput) -> Value) throws(OpenVINOError) -> Value {
        var tensor: OpaquePointer?
        try unsafe checked("get the output tensor", ov_infer_request_get_output_tensor(self.request, &tensor))
        defer { unsafe ov_tensor_free(tensor) }
        var shape = unsafe ov_shape_t()
        try unsafe checked("read the output's shape", ov_tensor_get_shape(tensor, &shape))
        defer { unsafe _ = ov_shape_free(&shape) }
        let dimensions = unsafe UnsafeBufferPointer(start: shape.dims, count: Int(shape.rank)).map { Int($0) }
        let values: UnsafeMutableBufferPointer<Float> = try unsafe Self.memory(of: tensor)
        return unsafe read(ModelOutput(values: UnsafeBufferPointer(values), shape: dimensions))
    }

    private static func memory<Element>(
        of tensor: OpaquePointer?
    ) throws(OpenVINOError) -> UnsafeMutableBufferPointer<Element> {
        var count = 0
        try unsafe checked("size a tensor", ov_tensor_get_size(tensor, &count))
        var data: UnsafeMutableRawPointer?
        try unsafe checked("reach a tensor's memory", ov_tensor_data(tensor, &data))
        return unsafe UnsafeMutableBufferPointer(start: data?.assumingMemoryBound(to: Element.self), count: count)
    }
}
