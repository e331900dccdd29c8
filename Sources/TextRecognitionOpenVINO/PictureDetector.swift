internal import TextRecognition

/// Detector network of single pictures, whose shapes differ.
///
/// Pictures share a network with a dynamic shape. It spares them the compilation for their shape, which takes as long as the
/// detector needs for several, and it takes a sixth more time for each. So usual shapes have their own networks, as the frames of
/// streams do; and so have large ones, for which the shared network would take three times the memory. The shape alone decides,
/// and not what was read before, so that the same picture always gets the same result.
final class PictureDetector: InferenceModel {
    private let eachShape: any InferenceModel<Float>
    private let dynamicShape: any InferenceModel<Float>
    private let maxSharedPixels: Int
    private let usualShapes: Set<InputShape>

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - eachShape: The networks of usual and of large shapes.
    ///   - dynamicShape: The network of all others.
    ///   - maxSharedPixels: Maximum number of pixels of inputs that share a network.
    ///   - usualShapes: The usual shapes.
    init(
        eachShape: any InferenceModel<Float>,
        dynamicShape: any InferenceModel<Float>,
        maxSharedPixels: Int,
        usualShapes: some Sequence<InputShape>
    ) {
        self.eachShape = eachShape
        self.dynamicShape = dynamicShape
        self.maxSharedPixels = maxSharedPixels
        self.usualShapes = Set(usualShapes)
    }

    func infer<Value>(
        _ shape: InputShape,
        count: Int,
        fill: (_ index: Int, UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ index: Int, ModelOutput<Float>) -> Value
    ) throws(RecognitionError) -> [Value] {
        let isShared = shape.width * shape.height <= self.maxSharedPixels && !self.usualShapes.contains(shape)
        let model = isShared ? self.dynamicShape : self.eachShape
        return try unsafe model.infer(shape, count: count, fill: fill, read: read)
    }
}
