/// The output tensor of a network for one picture, valid only inside the closure that receives it.
public struct ModelOutput<Scalar> {
    /// The numbers, in row-major order: the last dimension runs fastest.
    public let values: UnsafeBufferPointer<Scalar>
    /// The length of each dimension, the slowest first.
    public let shape: [Int]

    /// An output of `values`, whose memory the caller vouches for.
    public init(values: UnsafeBufferPointer<Scalar>, shape: [Int]) {
        self.values = values
        self.shape = shape
    }
}
