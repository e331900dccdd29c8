internal import Foundation
internal import NIOConcurrencyHelpers
internal import TextEngine

/// The networks of one model file, compiled for the input shapes in use and shared by all workers.
///
/// OpenVINO's own caches grow with every new input shape, so callers keep to a few shapes,
/// and only the networks that were used last are kept.
final class CompiledModelCache: Sendable {
    private let runtime: OpenVINORuntime
    private let file: ModelFile
    private let contents: Data
    private let workers: Int
    private let networks: NIOLockedValueBox<RecentlyUsed<CompiledModel>>

    /// A cache without networks.
    ///
    /// - Parameters:
    ///   - file: The model.
    ///   - runtime: Compiles it.
    ///   - workers: How many threads run its networks at the same time.
    /// - Throws: ``OpenVINOError`` when the file cannot be read or is damaged.
    convenience init(_ file: ModelFile, runtime: OpenVINORuntime, workers: Int) throws(OpenVINOError) {
        self.init(file, contents: try file.contents(), runtime: runtime, workers: workers)
    }

    private init(_ file: ModelFile, contents: Data, runtime: OpenVINORuntime, workers: Int) {
        self.runtime = runtime
        self.file = file
        self.contents = contents
        self.workers = workers
        self.networks = NIOLockedValueBox(RecentlyUsed(capacity: file.capacity))
    }

    /// A cache for the same model, whose networks are compiled for other inputs.
    func recompiled(_ compilation: Compilation) -> CompiledModelCache {
        var file = self.file
        file.compilation = compilation
        return CompiledModelCache(file, contents: self.contents, runtime: self.runtime, workers: self.workers)
    }

    /// The length of each dimension of what the model answers, `nil` where it depends on the input.
    func answer() throws(OpenVINOError) -> [Int?] { try self.runtime.answer(of: self.file, self.contents) }

    /// The notes in the file.
    func metadata() throws(OpenVINOError) -> ONNXMetadata { try ONNXMetadata(self.contents, of: self.file) }

    /// Networks that are kept.
    var capacity: Int { self.file.capacity }

    /// What the network is compiled for that `count` pictures of a shape run on, or the first of them.
    func key(for shape: InputShape, count: Int = 1) -> NetworkInput {
        let open = NetworkInput.open
        return switch self.file.compilation {
        case .open: NetworkInput(pictures: 1, height: open, width: open)
        case .eachShape: NetworkInput(pictures: 1, height: shape.height, width: shape.width)
        case .eachWidth(let limit) where shape.width > limit:
            NetworkInput(pictures: open, height: shape.height, width: open)
        case .eachWidth:
            NetworkInput(
                pictures: Self.pictures(count, width: shape.width),
                height: shape.height,
                width: shape.width
            )
        }
    }

    /// Wider pictures gain too little by going through a network together for the memory that another one takes.
    private static let mostSharedWidth = 240

    /// How many pictures go through a network of a fixed width together.
    private static func pictures(_ count: Int, width: Int) -> Int {
        // A place that stays empty costs less than two runs more.
        width <= Self.mostSharedWidth && count + 1 >= LineRecognizer.mostLines ? LineRecognizer.mostLines : 1
    }

    /// The network for a ``key(for:count:)``, which all workers share.
    func model(for key: NetworkInput) throws(OpenVINOError) -> CompiledModel {
        // Compiled under the lock: two workers that meet a new shape together need it compiled once.
        try self.networks.withLockedValue { networks in
            Result { () throws(OpenVINOError) in
                try networks.value(for: key) { () throws(OpenVINOError) in
                    try self.runtime.compile(self.file, self.contents, for: key, workers: self.workers)
                }
            }
        }.get()
    }
}
