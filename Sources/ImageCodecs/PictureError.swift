internal import TextModel

/// Error of a picture file that cannot be read or written.
public struct PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Kind of error.
    public struct Code: Sendable, Hashable {
        private enum Value { case unreadable, unsupported, damaged, tooLarge, noMemory, unwritable }
        private let value: Value

        /// The file does not exist, or access to it is denied.
        public static let unreadable = Code(value: .unreadable)
        /// The file is not a picture, or is of an unsupported kind.
        public static let unsupported = Code(value: .unsupported)
        /// The file is cut off or damaged.
        public static let damaged = Code(value: .damaged)
        /// The picture has more pixels or a longer side than the limits allow.
        public static let tooLarge = Code(value: .tooLarge)
        /// There is no memory left to decode the picture.
        public static let noMemory = Code(value: .noMemory)
        /// The file cannot be written, or its name has no known extension.
        public static let unwritable = Code(value: .unwritable)
    }

    /// Kind of error.
    public let code: Code
    /// Cause, file and remedy, in a sentence or two.
    public let message: String

    /// The message.
    public var description: String { self.message }

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates the error of the file at `path` from its decoding error.
    init(_ error: CodecError, path: String) {
        let code: Code =
            switch error.code {
            case .jpegUnsupported: .unsupported
            case .tooManyPixels, .badDimensions: .tooLarge
            case .outOfMemory: .noMemory
            default: .damaged
            }
        self.init(code, "\(path): \(error.message)")
    }

    /// Whether two errors have the same code.
    public static func == (a: PictureError, b: PictureError) -> Bool { a.code == b.code }
}
