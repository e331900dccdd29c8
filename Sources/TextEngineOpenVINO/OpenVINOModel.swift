internal import GlyphwireProtocol
internal import TextEngine

/// One worker's access to a network: a request for each input shape that it met lately.
final class OpenVINOModel: InferenceModel {
    private struct Entry {
        let key: InputShape
        let request: InferenceRequest
    }

    private let networks: CompiledModelCache
    /// The latest used last.
    private var entries: [Entry] = []

    init(_ networks: CompiledModelCache) { self.networks = networks }

    func infer<Value>(
        _ shape: InputShape,
        fill: (UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (ModelOutput) -> Value
    ) throws(WireError) -> Value {
        do throws(OpenVINOError) {
            return try unsafe self.request(for: self.networks.key(for: shape)).infer(shape, fill: fill, read: read)
        } catch {
            throw WireError(.internalError, error.description)
        }
    }

    private func request(for key: InputShape) throws(OpenVINOError) -> InferenceRequest {
        if let last = self.entries.last, last.key == key { return last.request }
        if let found = self.entries.firstIndex(where: { $0.key == key }) {
            let entry = self.entries.remove(at: found)
            self.entries.append(entry)
            return entry.request
        }
        // Room is made first, so that a network nobody else uses is gone before the next one comes.
        if self.entries.count == self.networks.capacity { self.entries.removeFirst() }
        let request = try self.networks.model(for: key).makeRequest()
        self.entries.append(Entry(key: key, request: request))
        return request
    }
}
