/// A neural network that maps a picture to one output tensor, and that several threads may run at a time.
///
/// The stage between pre- and postprocessing: it takes pixels of an input and gives numbers, and knows no coordinate space.
public protocol InferenceModel<Scalar>: AnyObject, Sendable {
    /// The type of the numbers of the output.
    associatedtype Scalar

    /// Runs the network for a batch of pictures of one shape, as many at a time as suits it.
    ///
    /// - Parameters:
    ///   - shape: The shape of each input. Each new one costs a compilation, so callers keep to a few.
    ///   - count: The size of the batch.
    ///   - fill: Writes the whole input of the picture of an index, in place and row by row.
    ///   - read: Reads the output for the picture of an index.
    /// - Returns: The results of `read`, in the order of the batch.
    /// - Throws: ``RecognitionError`` with ``RecognitionError/Code/inferenceFailed`` when the runtime fails.
    func infer<Value>(
        _ shape: InputShape,
        count: Int,
        fill: (_ index: Int, UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ index: Int, ModelOutput<Scalar>) -> Value
    ) throws(RecognitionError) -> [Value]
}
