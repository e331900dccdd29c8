internal import TextModel

/// The size of a model's input picture: `height` rows of `width` pixels of three bytes (blue, green, red).
public struct InputShape: Hashable, Sendable {
    /// The value of what a picture leaves of the input: a gray that means neither light nor dark to a network.
    public static let margin: UInt8 = 127

    /// Rows.
    public var height: Int
    /// Pixels of a row.
    public var width: Int

    /// A shape of `height` rows of `width` pixels.
    public init(height: Int, width: Int) {
        self.height = height
        self.width = width
    }

    /// Bytes of a row.
    @inlinable
    public var bytesPerRow: Int { 3 * self.width }
    /// Bytes of the input.
    @inlinable
    public var byteCount: Int { self.height * self.bytesPerRow }
}

/// What a model answered for one picture, valid only inside the closure that it was handed to.
public struct ModelOutput<Number> {
    /// The numbers, the last dimension running fastest.
    public let values: UnsafeBufferPointer<Number>
    /// The length of each dimension, the slowest first.
    public let shape: [Int]

    /// An output of `values`; the caller vouches for the memory.
    public init(values: UnsafeBufferPointer<Number>, shape: [Int]) {
        self.values = values
        self.shape = shape
    }
}

/// A neural network with a picture in and one tensor of numbers out, which several threads may run at a time.
public protocol InferenceModel<Number>: AnyObject, Sendable {
    /// What it answers with.
    associatedtype Number

    /// Runs the network for some pictures of one shape, as many at a time as suits it.
    ///
    /// - Parameters:
    ///   - shape: Of each input; each new one costs a compilation, so callers keep to a few.
    ///   - count: How many pictures there are.
    ///   - fill: Writes the whole input of a picture, told by its index, in place and row by row.
    ///   - read: Takes what it needs of the output for a picture.
    /// - Returns: What `read` returned, picture by picture.
    /// - Throws: ``RecognitionError`` with ``RecognitionError/Code/internalError`` when the runtime fails.
    func infer<Value>(
        _ shape: InputShape,
        count: Int,
        fill: (_ picture: Int, UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ picture: Int, ModelOutput<Number>) -> Value
    ) throws(RecognitionError) -> [Value]
}
