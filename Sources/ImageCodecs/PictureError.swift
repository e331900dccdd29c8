internal import TextModel

/// Why a picture file could not be read or written.
public struct PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of trouble it is.
    public struct Code: Sendable, Hashable {
        private enum Value { case unreadable, unsupported, damaged, tooLarge, unwritable }
        private let value: Value

        /// The file is not there, or may not be read.
        public static let unreadable = Code(value: .unreadable)
        /// The file is no picture, or of a kind that is not read.
        public static let unsupported = Code(value: .unsupported)
        /// The file is cut off or damaged.
        public static let damaged = Code(value: .damaged)
        /// The picture has more pixels than the limits allow, or a longer side.
        public static let tooLarge = Code(value: .tooLarge)
        /// The file cannot be written, or its name does not say as what.
        public static let unwritable = Code(value: .unwritable)
    }

    /// What kind of trouble it is.
    public let code: Code
    /// What was wrong, with which file, and what to do, in a sentence or two.
    public let message: String

    /// The message.
    public var description: String { self.message }

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The trouble that the file at `path` would have been as a frame.
    init(_ error: CodecError, path: String) {
        let code: Code =
            switch error.code {
            case .jpegUnsupported: .unsupported
            case .tooManyPixels, .badDimensions: .tooLarge
            default: .damaged
            }
        self.init(code, "\(path): \(error.message)")
    }

    /// Errors are equal when their codes are.
    public static func == (a: PictureError, b: PictureError) -> Bool { a.code == b.code }
}
