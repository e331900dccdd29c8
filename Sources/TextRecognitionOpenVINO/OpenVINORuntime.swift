internal import COpenVINO
internal import Foundation
internal import TextRecognition

/// OpenVINO core of the process, which reads model files and compiles them for the CPU.
// Safe because the core is documented as thread-safe and is only freed in `deinit`.
@safe
final class OpenVINORuntime: @unchecked Sendable {
    private let core: OpaquePointer
    /// Version and properties, as a key for compiled networks.
    let description: String

    private static let device = "CPU"
    /// Capacity of a network's cache of kernels by input shape, with up to 33 entries and 11 MB per shape.
    ///
    /// Networks with a dynamic width have sixteen shapes, which recur with each picture in the same order. In a smaller cache
    /// each would be evicted just before it recurs, and its kernels take 60 to 100 ms to generate; the runtime's default of 5000
    /// would hold 150 shapes of pictures (accuracy log, *Fewer shapes for lines*).
    private static let cacheCapacity = 600

    /// Starts the runtime.
    ///
    /// - Parameter precision: The number format of calculations.
    /// - Throws: ``OpenVINOError`` if it does not start.
    init(precision: Precision = .bfloat16) throws(OpenVINOError) {
        // It looks for its parts in the current folder too, and ends the process if it may not.
        guard FileManager.default.isExecutableFile(atPath: ".") else {
            throw OpenVINOError(
                description: "cannot start the OpenVINO runtime: the current folder cannot be entered by this user; "
                    + "run the program in another folder, such as /"
            )
        }
        var core: OpaquePointer?
        try unsafe checked("start the OpenVINO runtime", ov_core_create(&core))
        guard let core = unsafe core else { throw OpenVINOError(description: "OpenVINO returned no core") }
        unsafe self.core = unsafe core
        let properties = [
            // Without streams a network runs on the calling thread.
            ("NUM_STREAMS", "0"),
            ("INFERENCE_NUM_THREADS", "1"),
            ("ENABLE_CPU_PINNING", "NO"),
            ("INFERENCE_PRECISION_HINT", precision.rawValue),
            ("CPU_RUNTIME_CACHE_CAPACITY", "\(Self.cacheCapacity)"),
        ]
        self.description = ([try Self.version()] + properties.map { "\($0)=\($1)" }).joined(separator: " ")
        for (key, value) in properties { try self.set(key, to: value) }
    }

    deinit { unsafe ov_core_free(self.core) }

    private static func version() throws(OpenVINOError) -> String {
        var version = unsafe ov_version_t()
        try unsafe checked("state its version", ov_get_openvino_version(&version))
        defer { unsafe ov_version_free(&version) }
        return unsafe version.buildNumber.map { unsafe String(cString: $0) } ?? ""
    }

    /// Reads a model, which the caller must free.
    func read(_ file: ModelFile) throws(OpenVINOError) -> OpaquePointer? {
        let contents = try file.contents()
        var read: OpaquePointer?
        try unsafe checked(
            "read the model file \(file.path) (\(ModelFile.remedy))",
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

    /// Compiles a model whose input shape is set.
    ///
    /// - Parameters:
    ///   - model: The model, still owned by the caller.
    ///   - file: How the model is run.
    ///   - input: Its input, for errors.
    /// - Returns: The network, which the caller must free.
    /// - Throws: ``OpenVINOError`` if the runtime cannot compile it.
    func compile(
        _ model: OpaquePointer?,
        of file: ModelFile,
        for input: NetworkInput
    ) throws(OpenVINOError) -> OpaquePointer {
        var compiled: OpaquePointer?
        try unsafe checked(
            "compile \(file.path) for \(input.width)x\(input.height)",
            ov_core_compile_model_props(self.core, model, Self.device, 0, nil, &compiled)
        )
        guard let compiled = unsafe compiled else {
            throw OpenVINOError(description: "OpenVINO returned no compiled network")
        }
        return unsafe compiled
    }

    /// Imports an exported network.
    ///
    /// For this, and for ``Network/exported()``, the runtime starts a thread for each further processor, which is
    /// otherwise idle.
    ///
    /// - Parameter exported: The exported data, which must outlive the network, since the weights are not copied.
    /// - Returns: The network, which the caller must free.
    /// - Throws: ``OpenVINOError`` if the runtime rejects it.
    func importNetwork(_ exported: UnsafeRawBufferPointer) throws(OpenVINOError) -> OpaquePointer {
        let bytes = unsafe exported.bindMemory(to: CChar.self)
        var network: OpaquePointer?
        try unsafe checked(
            "import a network",
            ov_core_import_model(self.core, bytes.baseAddress, bytes.count, Self.device, &network)
        )
        guard let network = unsafe network else { throw OpenVINOError(description: "OpenVINO imported no network") }
        return unsafe network
    }

    /// Sets a property of the device.
    private func set(_ key: String, to value: String) throws(OpenVINOError) {
        let status = unsafe key.withCString { key in
            unsafe value.withCString { value in
                var property = unsafe ov_property_t(key: key, value: value)
                return unsafe ov_core_set_properties(self.core, Self.device, 1, &property)
            }
        }
        try checked("set \(key) to \(value)", status)
    }
}

/// Throws an error for a failed status of the C interface, with a description of the action.
func checked(_ action: @autoclosure () -> String, _ status: ov_status_e) throws(OpenVINOError) {
    guard status != OK else { return }
    let text = unsafe ov_get_last_err_msg()
    defer { unsafe ov_free(text) }
    let message = unsafe text.map { unsafe String(cString: $0) } ?? "no message"
    // The runtime's messages have several lines; a log needs one.
    let reason = message.split(whereSeparator: \.isNewline).joined(separator: "; ")
    throw OpenVINOError(description: "OpenVINO could not \(action()): \(reason) (status \(status.rawValue))")
}
