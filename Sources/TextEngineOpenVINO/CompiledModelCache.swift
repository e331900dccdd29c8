internal import Synchronization
internal import TextEngine

/// The networks of one model file, compiled for the input shapes in use and, where that is possible, shared by all workers.
///
/// OpenVINO's own caches grow with every new input shape, so networks get one fixed shape, or one of a few widths, and only
/// the latest ``capacity`` of them are kept.
final class CompiledModelCache: Sendable {
    private struct Entry {
        let key: InputShape
        let model: CompiledModel
    }

    private let runtime: OpenVINORuntime
    private let file: ModelFile
    private let workers: Int
    private let capacity: Int
    /// The latest used last.
    private let entries = Mutex<[Entry]>([])

    init(_ file: ModelFile, runtime: OpenVINORuntime, workers: Int, capacity: Int) {
        self.file = file
        self.runtime = runtime
        self.workers = workers
        self.capacity = capacity
    }

    /// What tells the networks apart that inputs of `shape` run on.
    func key(for shape: InputShape) -> InputShape {
        switch self.file.compilation {
        case .everyWidth(let height): InputShape(height: height, width: 0)
        case .eachShape: shape
        }
    }

    /// The network for the inputs of a ``key(for:)``.
    ///
    /// A network for every width is the caller's own: one that runs in two streams gives wrong results as soon as its
    /// width is left open (OpenVINO 2026.4.1; from Python, too), while two of one stream each are right.
    func model(for key: InputShape) throws(OpenVINOError) -> CompiledModel {
        if case .everyWidth = self.file.compilation {
            return try self.runtime.compile(self.file, shape: key, workers: 1)
        }
        let result = self.entries.withLock { entries -> Result<CompiledModel, OpenVINOError> in
            if let found = entries.firstIndex(where: { $0.key == key }) {
                let entry = entries.remove(at: found)
                entries.append(entry)
                return .success(entry.model)
            }
            // Compiled under the lock: two workers that meet a new shape together need it compiled once.
            do throws(OpenVINOError) {
                let model = try self.runtime.compile(self.file, shape: key, workers: self.workers)
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
