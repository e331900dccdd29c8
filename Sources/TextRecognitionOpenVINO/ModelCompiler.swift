internal import COpenVINO
internal import Foundation
internal import NIOConcurrencyHelpers

/// Compiler of one model's networks.
///
/// One network is compiled, or comes from the ``NetworkCache``, and all others are imported from it; see ``ExportedNetwork``.
final class ModelCompiler: Sendable {
    /// How to run the model.
    let file: ModelFile
    /// Which of its networks runs on what.
    let strategy: ShapeStrategy
    private let runtime: OpenVINORuntime
    private let cache: NetworkCache?
    private let template = NIOLockedValueBox(Template.untried)

    /// The state of the network that the others are imported from.
    private enum Template {
        case untried
        case ready(ExportedNetwork, isFromCache: Bool)
        /// It could not be exported, or not be imported for another input.
        case unusable
    }

    /// A compiler that reads its model file when the cache does not do.
    ///
    /// - Parameters:
    ///   - file: The model and how to run it.
    ///   - strategy: Which of its networks runs on what.
    ///   - runtime: Compiles and imports.
    ///   - cache: Where compiled networks are kept; `nil` for nowhere.
    init(_ file: ModelFile, strategy: ShapeStrategy, runtime: OpenVINORuntime, cache: NetworkCache? = nil) {
        self.file = file
        self.strategy = strategy
        self.runtime = runtime
        self.cache = cache
    }

    /// Makes a network: imports it where it can, compiles it otherwise.
    ///
    /// - Parameters:
    ///   - input: What comes in at a time.
    ///   - bytes: What the network is counted with.
    /// - Returns: The network.
    /// - Throws: ``OpenVINOError`` when the model file is not the right one, or the runtime cannot compile it.
    func network(for input: NetworkInput, bytes: Int) throws(OpenVINOError) -> Network {
        defer { Self.trimHeap() }
        return try self.template.withLockedValue { template in
            Result { () throws(OpenVINOError) in
                if case .untried = template { template = self.cached() }
                if case .ready(let exported, let isFromCache) = template {
                    if let network = self.imported(exported, for: input, bytes: bytes) { return network }
                    // What came from the cache is compiled anew.
                    template = isFromCache ? .untried : .unusable
                }
                guard case .untried = template else { return try self.compiled(for: input, bytes: bytes) }
                return try self.compileTemplate(for: input, bytes: bytes, &template)
            }
        }.get()
    }

    /// Compiles the network that others are imported from, and makes one for `input` of it.
    private func compileTemplate(
        for input: NetworkInput,
        bytes: Int,
        _ template: inout Template
    ) throws(OpenVINOError) -> Network {
        let templateInput = self.strategy.template(for: input)
        do throws(OpenVINOError) {
            let network = try self.compiled(for: templateInput, bytes: bytes)
            template = self.exported(network)
            if templateInput == input { return network }
        } catch {
            if templateInput == input { throw error }
            // Where there is no room for that one, there may be for the one that is wanted.
            template = .unusable
        }
        if case .ready(let exported, _) = template,
            let network = self.imported(exported, for: input, bytes: bytes)
        {
            return network
        }
        template = .unusable
        return try self.compiled(for: input, bytes: bytes)
    }

    /// What an earlier start of any process has compiled; untried where there is nothing.
    private func cached() -> Template {
        guard let cache = self.cache, let key = self.cacheKey, let contents = cache.contents(for: key) else {
            return .untried
        }
        return ExportedNetwork(contents).map { .ready($0, isFromCache: true) } ?? .untried
    }

    /// Exports a network, for this process and the cache.
    private func exported(_ network: Network) -> Template {
        // Of a network for all widths there are few, which take less memory without the exported one beside them.
        guard self.strategy.hasFixedShapes || self.cache != nil else { return .untried }
        guard let contents = try? network.exported(), let exported = ExportedNetwork(contents) else {
            return .unusable
        }
        if let key = self.cacheKey { self.cache?.store(contents, for: key) }
        return self.strategy.hasFixedShapes ? .ready(exported, isFromCache: false) : .untried
    }

    /// All that a compiled network depends on; `nil` where the model file is any.
    private var cacheKey: String? {
        guard let sha256 = self.file.sha256 else { return nil }
        return [
            "model \(sha256)", "runtime \(self.runtime.description)", "strategy \(self.strategy.rawValue)",
            "mean \(self.file.normalization.mean)", "deviation \(self.file.normalization.deviation)",
            "output \(self.file.outputPrecision.rawValue)", Processor.current.description,
        ].joined(separator: "\n")
    }

    /// Imports a network; `nil` where the runtime refuses.
    private func imported(_ exported: ExportedNetwork, for input: NetworkInput, bytes: Int) -> Network? {
        guard let file = unsafe exported.file(for: input) else { return nil }
        return try? unsafe Network(self.runtime.importNetwork(file), weights: exported, bytes: bytes)
    }

    private func compiled(for input: NetworkInput, bytes: Int) throws(OpenVINOError) -> Network {
        let read = try unsafe self.runtime.read(self.file)
        defer { unsafe ov_model_free(read) }
        let model = try unsafe self.runtime.converting(read, of: self.file)
        defer { unsafe ov_model_free(model) }
        try unsafe self.reshape(model, for: input)
        return try unsafe Network(self.runtime.compile(model, of: self.file, for: input), bytes: bytes)
    }

    /// Gives a model's input the shape of `input`.
    private func reshape(_ model: OpaquePointer?, for input: NetworkInput) throws(OpenVINOError) {
        var dimensions = [input.batchSize, input.height, input.width, 3].map { length in
            let length = length == NetworkInput.open ? -1 : Int64(length)
            return ov_dimension_t(min: length, max: length)
        }
        var partial = unsafe ov_partial_shape_t()
        try unsafe checked("describe an input shape", ov_partial_shape_create(4, &dimensions, &partial))
        defer { unsafe ov_partial_shape_free(&partial) }
        try unsafe checked("reshape \(self.file.path)", ov_model_reshape_single_input(model, partial))
    }

    /// Hands memory back to the system that compiling took on the way, and networks that were given up.
    ///
    /// What they leave lies in pieces between what stays, and glibc keeps them: where frames come in ever other sizes, what
    /// the process has of the system would grow for hours by what nobody uses.
    private static func trimHeap() {
        #if canImport(Glibc)
            _ = malloc_trim(0)
        #endif
    }
}
