internal import COpenVINO
internal import Foundation
internal import NIOConcurrencyHelpers

/// A model in memory, from which networks are made.
// Safe because the model and what was exported are touched under the lock alone.
@safe
final class LoadedModel: @unchecked Sendable {
    /// Where it comes from.
    let file: ModelFile
    /// Which of its networks runs on what.
    let compilation: Compilation
    /// The greatest length of each dimension of what it answers, `nil` where that depends on the input.
    let answer: [Int?]
    private let runtime: OpenVINORuntime
    private let model: OpaquePointer
    private let lock = NIOLock()
    private var export = Export.untried

    /// How it stands with the network from which the others are read.
    private enum Export {
        case untried
        case written(ExportedNetwork)
        /// It could not be written, or not be read for another input.
        case unusable
    }

    /// Reads a model.
    ///
    /// The whole of it is read, so that a damaged or a wrong one is found at the start and not by a frame.
    ///
    /// - Parameters:
    ///   - file: How it is to be run.
    ///   - contents: What ``ModelFile/contents()`` gave; not needed any more behind this.
    ///   - compilation: Which of its networks runs on what.
    ///   - runtime: Reads and compiles it.
    /// - Throws: ``OpenVINOError`` when the runtime does not take it.
    init(
        _ file: ModelFile,
        contents: Data,
        compilation: Compilation,
        runtime: OpenVINORuntime
    ) throws(OpenVINOError) {
        let read = try unsafe runtime.read(file, contents)
        defer { unsafe ov_model_free(read) }
        guard let model = try unsafe runtime.converting(read, of: file) else {
            throw OpenVINOError(damaged: file.path)
        }
        do throws(OpenVINOError) {
            self.answer = try unsafe Self.answer(of: model, file)
        } catch {
            unsafe ov_model_free(model)
            throw error
        }
        unsafe self.model = unsafe model
        self.file = file
        self.compilation = compilation
        self.runtime = runtime
    }

    deinit { unsafe ov_model_free(self.model) }

    private static func answer(of model: OpaquePointer, _ file: ModelFile) throws(OpenVINOError) -> [Int?] {
        var port: OpaquePointer?
        try unsafe checked("find the output of \(file.path)", ov_model_const_output(model, &port))
        defer { unsafe ov_output_const_port_free(port) }
        var shape = unsafe ov_partial_shape_t()
        try unsafe checked("describe the output of \(file.path)", ov_port_get_partial_shape(port, &shape))
        defer { unsafe ov_partial_shape_free(&shape) }
        return unsafe UnsafeBufferPointer(start: shape.dims, count: Int(max(0, shape.rank.max))).map {
            $0.max < 0 ? nil : Int($0.max)
        }
    }

    /// Makes a network: reads it from the one that was compiled for all, or compiles it.
    ///
    /// - Parameters:
    ///   - input: What comes in at a time.
    ///   - bytes: What the network is counted with.
    /// - Returns: The network.
    /// - Throws: ``OpenVINOError`` when the runtime cannot compile it.
    func network(for input: NetworkInput, bytes: Int) throws(OpenVINOError) -> Network {
        try self.lock.withLock {
            Result { () throws(OpenVINOError) in
                if case .untried = self.export, let template = self.compilation.template(for: input) {
                    if template == input { return try self.exporting(template, bytes: bytes) }
                    // Where there is no room for that one, there may be for the one that is wanted.
                    _ = try? self.exporting(template, bytes: bytes)
                }
                if case .written(let exported) = self.export {
                    if let network = self.read(exported, for: input, bytes: bytes) { return network }
                    self.export = .unusable
                }
                return try self.compile(for: input, bytes: bytes)
            }
        }.get()
    }

    /// Compiles the network from which others are read, and writes it out.
    private func exporting(_ template: NetworkInput, bytes: Int) throws(OpenVINOError) -> Network {
        let network = try self.compile(for: template, bytes: bytes)
        let exported = (try? network.exported()).flatMap { ExportedNetwork($0, for: template) }
        self.export = exported.map { .written($0) } ?? .unusable
        return network
    }

    /// Reads a network; `nil` where the runtime refuses.
    private func read(_ exported: ExportedNetwork, for input: NetworkInput, bytes: Int) -> Network? {
        guard let file = unsafe exported.file(for: input) else { return nil }
        return try? unsafe Network(self.runtime.read(file), weights: exported, bytes: bytes)
    }

    private func compile(for input: NetworkInput, bytes: Int) throws(OpenVINOError) -> Network {
        try self.shape(for: input)
        return try unsafe Network(self.runtime.compile(self.model, of: self.file, for: input), bytes: bytes)
    }

    /// Gives the model's input the shape of `input`.
    private func shape(for input: NetworkInput) throws(OpenVINOError) {
        var dimensions = [input.pictures, input.height, input.width, 3].map { length in
            let length = length == NetworkInput.open ? -1 : Int64(length)
            return ov_dimension_t(min: length, max: length)
        }
        var partial = unsafe ov_partial_shape_t()
        try unsafe checked("describe an input shape", ov_partial_shape_create(4, &dimensions, &partial))
        defer { unsafe ov_partial_shape_free(&partial) }
        try unsafe checked("reshape \(self.file.path)", ov_model_reshape_single_input(self.model, partial))
    }
}
