/// The output of a network for one picture, valid only inside the closure that receives it.
public struct ModelOutput<Scalar> {
    /// The numbers, in row-major order: the last dimension runs fastest.
    public let values: UnsafeBufferPointer<Scalar>
    /// The length of each dimension, the slowest first.
    public let shape: [Int]

    /// The numbers of the network's second output, in the same order; empty where it has one output.
    public let auxiliary: UnsafeBufferPointer<Scalar>

    /// An output of `values`, whose memory the caller vouches for.
    public init(
        values: UnsafeBufferPointer<Scalar>,
        shape: [Int],
        auxiliary: UnsafeBufferPointer<Scalar> = UnsafeBufferPointer(start: nil, count: 0)
    ) {
        self.values = values
        self.shape = shape
        self.auxiliary = auxiliary
    }
}
