internal import TextModel
internal import TextRecognition

/// Inference model on networks that all workers share.
///
/// `Number` must match ``ModelFile/outputPrecision``.
final class OpenVINOModel<Number>: InferenceModel {
    private let networks: ModelNetworks

    init(_ networks: ModelNetworks) { self.networks = networks }

    func infer<Value>(
        _ shape: InputShape,
        count: Int,
        fill: (_ index: Int, UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ index: Int, ModelOutput<Number>) -> Value
    ) throws(RecognitionError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        while values.count < count {
            do throws(OpenVINOError) {
                let strategy = self.networks.model.strategy
                let left = count - values.count
                let batchSize = strategy.batchSize(left, width: shape.width)
                let input = strategy.input(for: shape, count: left)
                let indices = values.count..<values.count + min(left, batchSize)
                try self.networks.withNetwork(for: input) { network throws(OpenVINOError) in
                    try unsafe network.infer(shape, indices, on: batchSize, into: &values, fill: fill, read: read)
                }
            } catch {
                throw RecognitionError(.inferenceFailed, error.description)
            }
        }
        return values
    }
}
