internal import Foundation
internal import Synchronization
internal import TextEngine

/// The networks of one model file, compiled for the input shapes in use and shared by all workers.
///
/// OpenVINO's own caches grow with every new input shape, so callers keep to a few shapes,
/// and only the networks that were used last are kept.
final class CompiledModelCache: Sendable {
    private struct Entry {
        let key: InputShape
        let model: CompiledModel
    }

    private let runtime: OpenVINORuntime
    private let file: ModelFile
    private let contents: Data
    private let workers: Int
    /// The latest used last.
    private let entries = Mutex<[Entry]>([])

    /// A cache without networks.
    ///
    /// - Parameters:
    ///   - file: The model.
    ///   - runtime: Compiles it.
    ///   - workers: How many threads run its networks at the same time.
    /// - Throws: ``OpenVINOError`` when the file cannot be read or is damaged.
    init(_ file: ModelFile, runtime: OpenVINORuntime, workers: Int) throws(OpenVINOError) {
        self.runtime = runtime
        self.file = file
        self.contents = try file.contents()
        self.workers = workers
    }

    /// The length of each dimension of what the model answers, `nil` where it depends on the input.
    func answer() throws(OpenVINOError) -> [Int?] { try self.runtime.answer(of: self.file, self.contents) }

    /// Networks that are kept.
    var capacity: Int { self.file.capacity }

    /// What tells the networks apart that inputs of `shape` run on.
    func key(for shape: InputShape) -> InputShape {
        switch self.file.compilation {
        case .eachWidth(let limit) where shape.width > limit:
            InputShape(height: shape.height, width: InputShape.openWidth)
        case .eachWidth, .eachShape: shape
        }
    }

    /// The network for the inputs of a ``key(for:)``, which all workers share.
    func model(for key: InputShape) throws(OpenVINOError) -> CompiledModel {
        let result = self.entries.withLock { entries -> Result<CompiledModel, OpenVINOError> in
            if let found = entries.firstIndex(where: { $0.key == key }) {
                let entry = entries.remove(at: found)
                entries.append(entry)
                return .success(entry.model)
            }
            // Compiled under the lock: two workers that meet a new shape together need it compiled once.
            do throws(OpenVINOError) {
                let model = try self.runtime.compile(self.file, self.contents, shape: key, workers: self.workers)
                if entries.count == self.capacity { entries.removeFirst() }
                entries.append(Entry(key: key, model: model))
                return .success(model)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension InputShape {
    /// Stands for every width.
    static let openWidth = 0
}
