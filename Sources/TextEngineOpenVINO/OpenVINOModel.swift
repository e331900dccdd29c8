internal import GlyphwireProtocol
internal import TextEngine

/// One worker's access to a network: a request for each input shape that it met lately.
final class OpenVINOModel: InferenceModel {
    private let networks: CompiledModelCache
    private var requests: RecentlyUsed<InferenceRequest>

    init(_ networks: CompiledModelCache) {
        self.networks = networks
        self.requests = RecentlyUsed(capacity: networks.capacity)
    }

    func infer<Value>(
        _ shape: InputShape,
        fill: (UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (ModelOutput) -> Value
    ) throws(WireError) -> Value {
        do throws(OpenVINOError) {
            let networks = self.networks
            let key = networks.key(for: shape)
            let request = try self.requests.value(for: key) { () throws(OpenVINOError) in
                try networks.model(for: key).makeRequest()
            }
            return try unsafe request.infer(shape, fill: fill, read: read)
        } catch {
            throw WireError(.internalError, error.description)
        }
    }
}
