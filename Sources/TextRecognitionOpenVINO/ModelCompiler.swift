internal import COpenVINO
internal import Foundation
internal import NIOConcurrencyHelpers
internal import TextRecognition

/// Compiler of one model's networks.
///
/// One network is compiled, or comes from the ``NetworkCache``, and all others are imported from it; see
/// ``ExportedNetwork``.
final class ModelCompiler: Sendable {
    /// Model file and how it is run.
    let file: ModelFile
    /// Strategy by which input shapes share networks.
    let strategy: ShapeStrategy
    private let runtime: OpenVINORuntime
    private let cache: NetworkCache?
    private let template = NIOLockedValueBox(Template.untried)

    /// State of the network from which the others are imported.
    private enum Template {
        case untried
        case ready(ExportedNetwork, isFromCache: Bool)
        /// The network could not be exported, or not imported for another input.
        case unusable
    }

    /// Creates a compiler, which reads its model file only if the cache has no network.
    ///
    /// - Parameters:
    ///   - file: The model and how it is run.
    ///   - strategy: The strategy by which input shapes share networks.
    ///   - runtime: The runtime that compiles and imports.
    ///   - cache: The cache of compiled networks; `nil` for none.
    init(_ file: ModelFile, strategy: ShapeStrategy, runtime: OpenVINORuntime, cache: NetworkCache? = nil) {
        self.file = file
        self.strategy = strategy
        self.runtime = runtime
        self.cache = cache
    }

    /// Creates a network by import if possible, otherwise by compilation.
    ///
    /// - Parameters:
    ///   - input: The input of the network.
    ///   - bytes: The estimated size of the network.
    /// - Returns: The network.
    /// - Throws: ``OpenVINOError`` if the model file is invalid, or the runtime cannot compile it.
    func network(for input: NetworkInput, bytes: Int) throws(OpenVINOError) -> Network {
        defer { Self.trimHeap() }
        return try self.template.withLockedValue { template in
            Result { () throws(OpenVINOError) in
                if case .untried = template { template = self.cached() }
                if case .ready(let exported, let isFromCache) = template {
                    if let network = self.imported(exported, for: input, bytes: bytes) { return network }
                    // A network from the cache is compiled again.
                    template = isFromCache ? .untried : .unusable
                }
                guard case .untried = template else { return try self.compiled(for: input, bytes: bytes) }
                return try self.compileTemplate(for: input, bytes: bytes, &template)
            }
        }.get()
    }

    /// Compiles the network from which others are imported, and creates one for `input` from it.
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
            // Even if there is no memory for the template, there may be for the requested network.
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

    /// Template from the cache of an earlier process; untried if there is none.
    private func cached() -> Template {
        guard let cache = self.cache, let key = self.cacheKey, let contents = cache.contents(for: key) else {
            return .untried
        }
        return ExportedNetwork(contents).map { .ready($0, isFromCache: true) } ?? .untried
    }

    /// Exports a network, for this process and the cache.
    private func exported(_ network: Network) -> Template {
        // There are few networks for all widths, which take less memory without an exported one beside them.
        guard self.strategy.importsShapes || self.cache != nil else { return .untried }
        guard let contents = try? network.exported(), let exported = ExportedNetwork(contents) else {
            return .unusable
        }
        if let key = self.cacheKey { self.cache?.store(contents, for: key) }
        return self.strategy.importsShapes ? .ready(exported, isFromCache: false) : .untried
    }

    /// Key of all that a compiled network depends on; `nil` for a model file without a hash.
    private var cacheKey: String? {
        guard let sha256 = self.file.sha256 else { return nil }
        return [
            "model \(sha256)", "runtime \(self.runtime.description)", "strategy \(self.strategy.rawValue)",
            "mean \(self.file.normalization.mean)", "deviation \(self.file.normalization.deviation)",
            "output \(self.file.outputPrecision.rawValue)", Processor.current.description,
        ].joined(separator: "\n")
    }

    /// Imports a network; `nil` if the runtime refuses.
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

    /// Sets the input shape of a model.
    private func reshape(_ model: OpaquePointer?, for input: NetworkInput) throws(OpenVINOError) {
        var dimensions = [input.batchSize, input.height, input.width, InputShape.channelCount].map { length in
            let length = length == NetworkInput.dynamic ? -1 : Int64(length)
            return ov_dimension_t(min: length, max: length)
        }
        var partial = unsafe ov_partial_shape_t()
        try unsafe checked("describe an input shape", ov_partial_shape_create(4, &dimensions, &partial))
        defer { unsafe ov_partial_shape_free(&partial) }
        try unsafe checked("reshape \(self.file.path)", ov_model_reshape_single_input(model, partial))
    }

    /// Returns memory of compilation and of evicted networks to the system.
    ///
    /// It is fragmented between live allocations, and glibc keeps it: with frames of ever changing sizes, the process
    /// would otherwise grow for hours.
    private static func trimHeap() {
        #if canImport(Glibc)
            _ = malloc_trim(0)
        #endif
    }
}
