public import GlyphwireProtocol

/// The size of a model's input picture: three planes (blue, green, red) of `height` rows of `width` numbers.
public struct InputShape: Hashable, Sendable {
    /// Rows of a plane.
    public var height: Int
    /// Numbers of a row.
    public var width: Int

    /// A shape of three planes.
    public init(height: Int, width: Int) {
        self.height = height
        self.width = width
    }

    /// Numbers of one plane.
    @inlinable
    public var planeCount: Int { self.height * self.width }
}

/// What a model answered, valid only inside the closure that it was handed to.
public struct ModelOutput {
    /// The numbers, the last dimension running fastest.
    public let values: UnsafeBufferPointer<Float>
    /// The length of each dimension, the slowest first.
    public let shape: [Int]

    /// An output of `values`; the caller vouches for the memory.
    public init(values: UnsafeBufferPointer<Float>, shape: [Int]) {
        self.values = values
        self.shape = shape
    }
}

/// A neural network with one picture in and one tensor out; every worker has its own inference contexts.
public protocol InferenceModel: AnyObject {
    /// Runs the network once.
    ///
    /// - Parameters:
    ///   - shape: Of the input; each new one costs a compilation, so callers keep to a few.
    ///   - fill: Writes the whole input in place: three planes, one after the other.
    ///   - read: Takes what it needs of the output.
    /// - Returns: What `read` returned.
    /// - Throws: ``WireError`` with ``WireError/Code/internalError`` when the runtime fails.
    func infer<Value>(
        _ shape: InputShape,
        fill: (UnsafeMutableBufferPointer<Float>) -> Void,
        read: (ModelOutput) -> Value
    ) throws(WireError) -> Value
}
