internal import TextModel
internal import TextRecognition

/// A model as the engine runs it, on networks that all workers share.
///
/// `Number` must be what the model's file is said to answer with, ``ModelFile/answer``.
final class OpenVINOModel<Number>: InferenceModel {
    private let networks: ModelNetworks

    init(_ networks: ModelNetworks) { self.networks = networks }

    func infer<Value>(
        _ shape: InputShape,
        count: Int,
        fill: (_ picture: Int, UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ picture: Int, ModelOutput<Number>) -> Value
    ) throws(RecognitionError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        while values.count < count {
            do throws(OpenVINOError) {
                let input = self.networks.model.compilation.input(for: shape, count: count - values.count)
                let indices = values.count..<min(count, values.count + input.mostPictures(width: shape.width))
                let pictures = input.pictures == NetworkInput.open ? indices.count : input.pictures
                try self.networks.withNetwork(for: input) { network throws(OpenVINOError) in
                    try unsafe network.infer(shape, indices, on: pictures, into: &values, fill: fill, read: read)
                }
            } catch {
                throw RecognitionError(.inferenceFailed, error.description)
            }
        }
        return values
    }
}
