internal import COpenVINO
internal import Foundation
internal import TextEngine

/// A failure of the OpenVINO runtime or of a model file.
public struct OpenVINOError: Error, Sendable, CustomStringConvertible {
    /// What was tried and what the runtime said.
    public var description: String
}

/// The OpenVINO core of the process: reads model files and compiles them for the CPU.
// Safe because the core is documented as safe to use from several threads and is only freed in `deinit`.
@safe
final class OpenVINORuntime: @unchecked Sendable {
    private let core: OpaquePointer

    init() throws(OpenVINOError) {
        var core: OpaquePointer?
        try unsafe checked("start the OpenVINO runtime", ov_core_create(&core))
        guard let core = unsafe core else { throw OpenVINOError(description: "OpenVINO returned no core") }
        unsafe self.core = unsafe core
    }

    deinit { unsafe ov_core_free(self.core) }

    /// The length of each dimension of what a model answers, `nil` where it depends on the input.
    ///
    /// The whole file is read, so that a damaged or a wrong one is found at the start and not by a frame.
    func answer(of model: ModelFile, _ contents: Data) throws(OpenVINOError) -> [Int?] {
        let read = try unsafe self.read(model, contents)
        defer { unsafe ov_model_free(read) }
        var port: OpaquePointer?
        try unsafe checked("find the output of \(model.path)", ov_model_const_output(read, &port))
        defer { unsafe ov_output_const_port_free(port) }
        var shape = unsafe ov_partial_shape_t()
        try unsafe checked("describe the output of \(model.path)", ov_port_get_partial_shape(port, &shape))
        defer { unsafe ov_partial_shape_free(&shape) }
        return unsafe UnsafeBufferPointer(start: shape.dims, count: Int(max(0, shape.rank.max))).map {
            $0.min == $0.max ? Int($0.max) : nil
        }
    }

    /// Compiles a model.
    ///
    /// - Parameters:
    ///   - model: The file and how it is to be run.
    ///   - contents: What ``ModelFile/contents()`` gave.
    ///   - input: What comes in at a time.
    ///   - workers: How many threads will run the network at the same time.
    /// - Returns: The network, ready to make requests from.
    /// - Throws: ``OpenVINOError`` when the file cannot be read or compiled.
    func compile(
        _ model: ModelFile,
        _ contents: Data,
        for input: NetworkInput,
        workers: Int
    ) throws(OpenVINOError) -> CompiledModel {
        defer { self.giveBackMemory() }
        let read = try unsafe self.read(model, contents)
        defer { unsafe ov_model_free(read) }

        var dimensions = [input.pictures, 3, input.height, input.width].map { length in
            let length = length == NetworkInput.open ? -1 : Int64(length)
            return ov_dimension_t(min: length, max: length)
        }
        var partial = unsafe ov_partial_shape_t()
        try unsafe checked("describe an input shape", ov_partial_shape_create(4, &dimensions, &partial))
        defer { unsafe ov_partial_shape_free(&partial) }
        try unsafe checked("reshape \(model.path)", ov_model_reshape_single_input(read, partial))

        let converted = try unsafe self.converting(read, of: model)
        defer { unsafe ov_model_free(converted) }

        // One stream a worker and one thread a stream. A single stream runs on the thread that asks; where there are more,
        // the runtime may run them on threads of its own, as many, while those that ask wait.
        let properties = [
            ("NUM_STREAMS", "\(workers)"),
            ("INFERENCE_NUM_THREADS", "\(workers)"),
            ("ENABLE_CPU_PINNING", "NO"),
            ("INFERENCE_PRECISION_HINT", model.precision.rawValue),
        ]
        var compiled: OpaquePointer?
        try unsafe withProperties(properties) { properties throws(OpenVINOError) in
            try unsafe checked(
                "compile \(model.path) for \(input.width)x\(input.height)",
                ov_core_compile_model_props(
                    self.core,
                    converted,
                    "CPU",
                    properties.count,
                    properties.baseAddress,
                    &compiled
                )
            )
        }
        guard let compiled = unsafe compiled else { throw OpenVINOError(description: "OpenVINO compiled nothing") }
        return unsafe CompiledModel(compiled)
    }

    /// Hands memory back to the system that compiling took on the way, and networks that were given up.
    ///
    /// What they leave lies in pieces between what stays, and glibc keeps them: where frames come in ever other sizes, what
    /// the process has of the system would grow for hours by what nobody uses.
    private func giveBackMemory() {
        #if canImport(Glibc)
            _ = malloc_trim(0)
        #endif
    }

    /// Reads a model; the caller's to free.
    private func read(_ model: ModelFile, _ contents: Data) throws(OpenVINOError) -> OpaquePointer? {
        var read: OpaquePointer?
        try unsafe checked(
            "read the model file \(model.path) ('make setup' fetches it anew)",
            contents.withUnsafeBytes { bytes in
                let text = unsafe bytes.bindMemory(to: CChar.self)
                return unsafe ov_core_read_model_from_memory_buffer(
                    self.core,
                    text.baseAddress,
                    text.count,
                    nil,
                    &read
                )
            }
        )
        return unsafe read
    }

    private func withProperties(
        _ properties: [(key: String, value: String)],
        _ body: (UnsafeBufferPointer<ov_property_t>) throws(OpenVINOError) -> Void
    ) throws(OpenVINOError) {
        let strings = unsafe properties.map { unsafe (strdup($0.key), strdup($0.value)) }
        defer {
            for unsafe(key, value) in unsafe strings {
                unsafe free(key)
                unsafe free(value)
            }
        }
        let list = unsafe strings.map { unsafe ov_property_t(key: $0.0, value: $0.1) }
        let result = unsafe list.withUnsafeBufferPointer { list -> Result<Void, OpenVINOError> in
            do throws(OpenVINOError) {
                try unsafe body(list)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}

/// A network compiled for a ``NetworkInput``; workers make their own requests from it.
// Safe because a compiled model is immutable and documented as safe to share.
@safe
final class CompiledModel: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    deinit { unsafe ov_compiled_model_free(self.handle) }

    func makeRequest() throws(OpenVINOError) -> InferenceRequest {
        var request: OpaquePointer?
        try unsafe checked("create an inference request", ov_compiled_model_create_infer_request(self.handle, &request))
        guard let request = unsafe request else { throw OpenVINOError(description: "OpenVINO made no request") }
        return unsafe InferenceRequest(request, of: self)
    }
}

/// Turns a status of the C interface into an error that says what was tried.
func checked(_ action: @autoclosure () -> String, _ status: ov_status_e) throws(OpenVINOError) {
    guard status != OK else { return }
    let message = unsafe ov_get_last_err_msg().map { unsafe String(cString: $0) } ?? "no message"
    // The runtime's messages run over several lines; a log wants one.
    let said = message.split(whereSeparator: \.isNewline).joined(separator: "; ")
    throw OpenVINOError(description: "OpenVINO could not \(action()): \(said) (status \(status.rawValue))")
}
