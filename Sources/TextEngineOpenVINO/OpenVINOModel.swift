internal import GlyphwireProtocol
internal import TextEngine

/// One worker's access to a network: a request for each of the inputs that it met lately.
///
/// `Number` must be what the model's file is said to answer with, ``ModelFile/answer``.
final class OpenVINOModel<Number>: InferenceModel {
    private let networks: CompiledModelCache
    private var requests: RecentlyUsed<InferenceRequest>

    init(_ networks: CompiledModelCache) {
        self.networks = networks
        self.requests = RecentlyUsed(capacity: networks.capacity)
    }

    func infer<Value>(
        _ shape: InputShape,
        count: Int,
        fill: (_ picture: Int, UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ picture: Int, ModelOutput<Number>) -> Value
    ) throws(WireError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        while values.count < count {
            do throws(OpenVINOError) {
                let networks = self.networks
                let key = networks.key(for: shape, count: count - values.count)
                let indices = values.count..<min(count, values.count + key.mostPictures)
                let pictures = key.pictures == NetworkInput.open ? indices.count : key.pictures
                let request = try self.requests.value(for: key) { () throws(OpenVINOError) in
                    try networks.model(for: key).makeRequest()
                }
                try unsafe request.infer(shape, indices, on: pictures, into: &values, fill: fill, read: read)
            } catch {
                throw WireError(.internalError, error.description)
            }
        }
        return values
    }
}
