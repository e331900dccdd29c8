/// A bfloat16 number: the upper 16 bits of a `Float`, with its range and eight bits of precision.
public struct BFloat16: Sendable, Equatable {
    /// Sign, exponent and mantissa.
    public var bitPattern: UInt16

    /// The number whose bits are `bitPattern`.
    @inlinable
    public init(bitPattern: UInt16) { self.bitPattern = bitPattern }

    /// The number as a `Float`, which it is exactly.
    @inlinable
    public var float: Float { Float(bitPattern: UInt32(self.bitPattern) << 16) }
}
