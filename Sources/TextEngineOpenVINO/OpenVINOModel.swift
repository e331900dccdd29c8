internal import GlyphwireProtocol
internal import TextEngine

/// One worker's access to a network: a request for each input shape that it met lately.
final class OpenVINOModel: InferenceModel {
    private struct Entry {
        let shape: InputShape
        let request: InferenceRequest
    }

    private let networks: CompiledModelCache
    private let capacity: Int
    /// The latest used last.
    private var entries: [Entry] = []

    init(_ networks: CompiledModelCache, capacity: Int) {
        self.networks = networks
        self.capacity = capacity
    }

    func infer<Value>(
        _ shape: InputShape,
        fill: (UnsafeMutableBufferPointer<Float>) -> Void,
        read: (ModelOutput) -> Value
    ) throws(WireError) -> Value {
        do throws(OpenVINOError) {
            return try unsafe self.request(for: shape).infer(fill: fill, read: read)
        } catch {
            throw WireError(.internalError, error.description)
        }
    }

    private func request(for shape: InputShape) throws(OpenVINOError) -> InferenceRequest {
        if let last = self.entries.last, last.shape == shape { return last.request }
        if let found = self.entries.firstIndex(where: { $0.shape == shape }) {
            let entry = self.entries.remove(at: found)
            self.entries.append(entry)
            return entry.request
        }
        let request = try self.networks.model(for: shape).makeRequest()
        if self.entries.count == self.capacity { self.entries.removeFirst() }
        self.entries.append(Entry(shape: shape, request: request))
        return request
    }
}
