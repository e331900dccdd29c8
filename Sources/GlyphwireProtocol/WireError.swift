/// Something a peer sent that could not be honoured: the code of Protocol.md's table and a sentence for a person.
public struct WireError: Error, Sendable, Equatable {
    /// The codes of Protocol.md; their strings never change meaning.
    public enum Code: String, Sendable, CaseIterable {
        // The message could not be taken apart: answered once, then the connection closes.
        /// The announced length is past the limit.
        case messageTooLarge = "message_too_large"
        /// The announced length cannot hold a header.
        case messageTooShort = "message_too_short"

        // The message was whole but cannot be honoured: answered, and the connection lives.
        /// No such message type.
        case unknownType = "unknown_type"
        /// A frame format that is not in the table.
        case unknownFormat = "unknown_format"
        /// A flag of the half that must be understood.
        case unsupportedFlag = "unsupported_flag"
        /// An orientation other than 0...8.
        case badOrientation = "bad_orientation"
        /// A side of zero, a side past the limit, or rows shorter than their pixels.
        case badDimensions = "bad_dimensions"
        /// More pixels than the limit.
        case tooManyPixels = "too_many_pixels"
        /// A frame without a payload.
        case emptyPayload = "empty_payload"
        /// The payload is not as long as its rows say, or the picture is not as large as its header says.
        case sizeMismatch = "size_mismatch"
        /// The JPEG is cut off or damaged.
        case jpegCorrupt = "jpeg_corrupt"
        /// A JPEG of a kind that is not read.
        case jpegUnsupported = "jpeg_unsupported"
        /// The LZ4 data is cut off or damaged.
        case lz4Corrupt = "lz4_corrupt"

        /// A configure body that is not a JSON object.
        case badConfiguration = "bad_configuration"
        /// A configure field that does not exist.
        case unknownOption = "unknown_option"
        /// A configure field with a value it cannot have.
        case badOption = "bad_option"
        /// A language that the level's models cannot read.
        case unsupportedLanguage = "unsupported_language"
        /// A level the server was started without.
        case levelUnavailable = "level_unavailable"

        /// The server asks for a token first.
        case authRequired = "auth_required"
        /// The token is wrong.
        case authFailed = "auth_failed"

        /// The server failed on this frame; it is the server's fault.
        case internalError = "internal_error"
    }

    /// Which rule was broken.
    public var code: Code
    /// What was wrong, where, and what to do, in a sentence.
    public var message: String

    /// An error of `code`, said in a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Errors are equal when their codes are.
    public static func == (a: WireError, b: WireError) -> Bool { a.code == b.code }
}

extension WireError.Code {
    /// Whether the connection ends with this error, since nobody can say where the next message starts or who asks.
    public var isFatal: Bool {
        switch self {
        case .messageTooLarge, .messageTooShort, .authRequired, .authFailed: true
        default: false
        }
    }
}
