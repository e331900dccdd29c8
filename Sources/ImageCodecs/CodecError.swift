/// A payload that cannot be decoded.
public struct CodecError: Error, Sendable, Equatable {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The JPEG is cut off or damaged.
        case jpegCorrupt
        /// A JPEG of a kind that is not decoded.
        case jpegUnsupported
        /// The LZ4 data is cut off or damaged.
        case lz4Corrupt
        /// The payload does not have the size that its description says.
        case sizeMismatch
        /// A side of the picture is zero or past the limit.
        case badDimensions
        /// The picture has more pixels than the limit.
        case tooManyPixels
        /// The decoder got no memory.
        case outOfMemory
    }

    /// The kind of failure.
    public let code: Code
    /// What was wrong, where, and what to do, in a sentence.
    public let message: String

    /// An error of `code`, explained in a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Errors are equal when their codes are.
    public static func == (a: CodecError, b: CodecError) -> Bool { a.code == b.code }
}
