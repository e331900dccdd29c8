/// Error of a payload that cannot be decoded.
public struct CodecError: Error, Sendable, Equatable {
    /// Kinds of failure.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The JPEG is cut off or damaged.
        case jpegCorrupt
        /// The JPEG is of an unsupported kind.
        case jpegUnsupported
        /// The LZ4 data is cut off or damaged.
        case lz4Corrupt
        /// The payload does not have the size that its header states.
        case sizeMismatch
        /// A side of the picture is zero or past the limit.
        case badDimensions
        /// The picture has more pixels than the limit.
        case tooManyPixels
        /// The decoder could not allocate memory.
        case outOfMemory
    }

    /// Kind of failure.
    public let code: Code
    /// A sentence with the cause, the place and the remedy.
    public let message: String

    /// Creates an error of `code` with a message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether two errors have the same code.
    public static func == (a: CodecError, b: CodecError) -> Bool { a.code == b.code }
}
