internal import COpenVINO
internal import TextEngine

/// One inference context of one input shape, with the memory of its input and output.
@safe
final class InferenceRequest {
    private let request: OpaquePointer
    private let inputTensor: OpaquePointer
    private let outputTensor: OpaquePointer
    private let input: UnsafeMutableBufferPointer<Float>
    private let output: ModelOutput
    /// Keeps the network alive: it may have left the shared cache.
    private let model: CompiledModel

    init(_ request: OpaquePointer, of model: CompiledModel) throws(OpenVINOError) {
        unsafe self.request = unsafe request
        self.model = model
        var tensor: OpaquePointer?
        try unsafe checked("get the input tensor", ov_infer_request_get_input_tensor(request, &tensor))
        unsafe self.inputTensor = try unsafe Self.present(tensor)
        unsafe self.input = try unsafe Self.memory(of: self.inputTensor)
        unsafe tensor = nil
        try unsafe checked("get the output tensor", ov_infer_request_get_output_tensor(request, &tensor))
        unsafe self.outputTensor = try unsafe Self.present(tensor)
        let values = try unsafe Self.memory(of: self.outputTensor)
        self.output = try unsafe ModelOutput(
            values: UnsafeBufferPointer(values),
            shape: Self.shape(of: self.outputTensor)
        )
    }

    deinit {
        unsafe ov_tensor_free(self.inputTensor)
        unsafe ov_tensor_free(self.outputTensor)
        unsafe ov_infer_request_free(self.request)
    }

    func infer<Value>(
        fill: (UnsafeMutableBufferPointer<Float>) -> Void,
        read: (ModelOutput) -> Value
    ) throws(OpenVINOError) -> Value {
        unsafe fill(self.input)
        try unsafe checked("run the model", ov_infer_request_infer(self.request))
        return read(self.output)
    }

    private static func present(_ tensor: OpaquePointer?) throws(OpenVINOError) -> OpaquePointer {
        guard let tensor = unsafe tensor else { throw OpenVINOError(description: "OpenVINO returned no tensor") }
        return unsafe tensor
    }

    private static func memory(of tensor: OpaquePointer) throws(OpenVINOError) -> UnsafeMutableBufferPointer<Float> {
        var count = 0
        try unsafe checked("size a tensor", ov_tensor_get_size(tensor, &count))
        var data: UnsafeMutableRawPointer?
        try unsafe checked("reach a tensor's memory", ov_tensor_data(tensor, &data))
        return unsafe UnsafeMutableBufferPointer(start: data?.assumingMemoryBound(to: Float.self), count: count)
    }

    private static func shape(of tensor: OpaquePointer) throws(OpenVINOError) -> [Int] {
        var shape = unsafe ov_shape_t()
        try unsafe checked("read a tensor's shape", ov_tensor_get_shape(tensor, &shape))
        defer { unsafe _ = ov_shape_free(&shape) }
        return unsafe UnsafeBufferPointer(start: shape.dims, count: Int(shape.rank)).map(Int.init)
    }
}
