internal import COpenVINO
internal import Foundation
internal import TextRecognition

/// Compiled network for a ``NetworkInput``, with the memory for one run at a time.
// Safe because ``NetworkPool`` passes it to one worker at a time.
@safe
final class Network: @unchecked Sendable {
    /// Estimated size in bytes.
    let bytes: Int
    private let compiled: OpaquePointer
    /// Exported network that owns the weights; `nil` if the network does.
    let weights: ExportedNetwork?
    private let request: OpaquePointer
    /// Whether it was used more than once, or prepared and used; ``NetworkPool`` sets it.
    var isReused = false
    /// Number of output tensors.
    private let outputCount: Int
    /// Shape of the last inputs, and the memory for them.
    private var shape = InputShape(height: 0, width: 0)
    private var batchSize = 0
    private var input = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

    /// Takes ownership of `compiled`.
    init(_ compiled: OpaquePointer, weights: ExportedNetwork? = nil, bytes: Int) throws(OpenVINOError) {
        var request: OpaquePointer?
        do throws(OpenVINOError) {
            var count = 0
            try unsafe checked("count the outputs", ov_compiled_model_outputs_size(compiled, &count))
            self.outputCount = count
            try unsafe checked("prepare a run", ov_compiled_model_create_infer_request(compiled, &request))
            guard let request = unsafe request else {
                throw OpenVINOError(description: "OpenVINO returned no inference request")
            }
            unsafe self.request = unsafe request
        } catch {
            unsafe ov_compiled_model_free(compiled)
            throw error
        }
        unsafe self.compiled = unsafe compiled
        self.weights = weights
        self.bytes = bytes
    }

    deinit {
        unsafe ov_infer_request_free(self.request)
        unsafe ov_compiled_model_free(self.compiled)
    }

    /// Runs the network once; see ``InferenceModel/infer(_:count:fill:read:)``.
    ///
    /// - Parameters:
    ///   - shape: The shape of each input.
    ///   - indices: The indices of the pictures.
    ///   - batchSize: The batch size of the run, at least the number of pictures.
    ///   - values: Receives what `read` returns.
    ///   - fill: Writes the input of a picture.
    ///   - read: Reads the output of a picture.
    /// - Throws: ``OpenVINOError`` if the runtime fails.
    func infer<Number, Value>(
        _ shape: InputShape,
        _ indices: Range<Int>,
        on batchSize: Int,
        into values: inout [Value],
        fill: (_ index: Int, UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ index: Int, ModelOutput<Number>) -> Value
    ) throws(OpenVINOError) {
        if shape != self.shape || batchSize != self.batchSize { try self.reshape(to: shape, batchSize) }
        for (place, index) in indices.enumerated() {
            unsafe fill(index, .init(rebasing: self.input[place * shape.byteCount..<(place + 1) * shape.byteCount]))
        }
        // Old values in the unused batch entries would affect the calculation of the others.
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: self.input[(indices.count * shape.byteCount)...])
        unsafe rest.update(repeating: InputShape.paddingValue)
        try unsafe checked("run the model", ov_infer_request_infer(self.request))
        try self.withOutput { (output: ModelOutput<Number>) in
            let shape = Array(output.shape.dropFirst())
            for (place, index) in indices.enumerated() {
                unsafe values.append(
                    read(
                        index,
                        ModelOutput(
                            values: Self.part(place, of: batchSize, output.values),
                            shape: shape,
                            auxiliary: Self.part(place, of: batchSize, output.auxiliary)
                        )
                    )
                )
            }
        }
    }

    /// Exports the network.
    ///
    /// - Returns: The data for ``OpenVINORuntime/importNetwork(_:)``.
    /// - Throws: ``OpenVINOError`` if the runtime cannot export it.
    func exported() throws(OpenVINOError) -> Data {
        // The runtime writes only to files, so this one is in memory.
        let descriptor = unsafe memfd_create("network", UInt32(MFD_CLOEXEC))
        guard descriptor >= 0 else {
            throw OpenVINOError(
                description: "cannot create a temporary file for a network: \(unsafe String(cString: strerror(errno)))"
            )
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try unsafe checked(
            "export a network",
            ov_compiled_model_export_model(self.compiled, "/proc/self/fd/\(descriptor)")
        )
        guard let written = try? file.readToEnd() else {
            throw OpenVINOError(description: "OpenVINO exported an empty network")
        }
        return written
    }

    private func reshape(to shape: InputShape, _ batchSize: Int) throws(OpenVINOError) {
        // If it fails halfway, the old input is gone, and no frame has the shape that is set.
        self.batchSize = 0
        var tensor: OpaquePointer?
        try unsafe checked("get the input tensor", ov_infer_request_get_input_tensor(self.request, &tensor))
        defer { unsafe ov_tensor_free(tensor) }
        var dimensions = [Int64(batchSize), Int64(shape.height), Int64(shape.width), Int64(InputShape.channelCount)]
        try unsafe dimensions.withUnsafeMutableBufferPointer { dimensions throws(OpenVINOError) in
            let shape = unsafe ov_shape_t(rank: 4, dims: dimensions.baseAddress)
            try unsafe checked("shape the input tensor", ov_tensor_set_shape(tensor, shape))
        }
        unsafe self.input = try unsafe Self.memory(of: tensor)
        self.shape = shape
        self.batchSize = batchSize
    }

    private func withOutput<Number>(_ read: (ModelOutput<Number>) -> Void) throws(OpenVINOError) {
        var tensor: OpaquePointer?
        try unsafe checked(
            "get the output tensor",
            ov_infer_request_get_output_tensor_by_index(self.request, 0, &tensor)
        )
        defer { unsafe ov_tensor_free(tensor) }
        var shape = unsafe ov_shape_t()
        try unsafe checked("read the output's shape", ov_tensor_get_shape(tensor, &shape))
        defer { unsafe _ = ov_shape_free(&shape) }
        let dimensions = unsafe UnsafeBufferPointer(start: shape.dims, count: Int(shape.rank)).map { Int($0) }
        let values: UnsafeMutableBufferPointer<Number> = try unsafe Self.memory(of: tensor)
        var second: OpaquePointer?
        defer { unsafe ov_tensor_free(second) }
        var auxiliary = unsafe UnsafeMutableBufferPointer<Number>(start: nil, count: 0)
        if self.outputCount > 1 {
            try unsafe checked(
                "get the second output tensor",
                ov_infer_request_get_output_tensor_by_index(self.request, 1, &second)
            )
            unsafe auxiliary = try unsafe Self.memory(of: second)
        }
        unsafe read(
            ModelOutput(
                values: UnsafeBufferPointer(values),
                shape: dimensions,
                auxiliary: UnsafeBufferPointer(auxiliary)
            )
        )
    }

    /// Returns the numbers of one picture of a batch.
    private static func part<Number>(
        _ place: Int,
        of batchSize: Int,
        _ numbers: UnsafeBufferPointer<Number>
    ) -> UnsafeBufferPointer<Number> {
        let count = numbers.count / batchSize
        return unsafe UnsafeBufferPointer(rebasing: numbers[place * count..<(place + 1) * count])
    }

    private static func memory<Element>(
        of tensor: OpaquePointer?
    ) throws(OpenVINOError) -> UnsafeMutableBufferPointer<Element> {
        var count = 0
        try unsafe checked("size a tensor", ov_tensor_get_size(tensor, &count))
        var data: UnsafeMutableRawPointer?
        try unsafe checked("access a tensor's memory", ov_tensor_data(tensor, &data))
        return unsafe UnsafeMutableBufferPointer(start: data?.assumingMemoryBound(to: Element.self), count: count)
    }
}
