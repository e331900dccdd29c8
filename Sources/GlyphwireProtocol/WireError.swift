/// Something a peer sent that could not be honoured: the code of Protocol.md's table and a sentence for a person.
public struct WireError: Error, Sendable, Equatable {
    /// The codes of Protocol.md; their strings never change meaning, and a newer server may send one that is not here.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The string on the wire.
        public let rawValue: String

        /// The code of a string, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        // The message could not be taken apart: answered once, then the connection closes.

        /// The announced length is past the limit.
        public static let messageTooLarge = Code(rawValue: "message_too_large")
        /// The announced length cannot hold a header.
        public static let messageTooShort = Code(rawValue: "message_too_short")

        /// The bytes are not of the protocol that this port speaks, such as plain ones where TLS is spoken.
        public static let wrongProtocol = Code(rawValue: "wrong_protocol")

        // The message was whole but cannot be honoured: answered, and the connection lives.
        /// No such message type.
        public static let unknownType = Code(rawValue: "unknown_type")
        /// A frame format that is not in the table.
        public static let unknownFormat = Code(rawValue: "unknown_format")
        /// A flag of the half that must be understood.
        public static let unsupportedFlag = Code(rawValue: "unsupported_flag")
        /// An orientation other than 0...8.
        public static let badOrientation = Code(rawValue: "bad_orientation")
        /// A side of zero, a side past the limit, or rows shorter than their pixels.
        public static let badDimensions = Code(rawValue: "bad_dimensions")
        /// More pixels than the limit.
        public static let tooManyPixels = Code(rawValue: "too_many_pixels")
        /// A frame without a payload.
        public static let emptyPayload = Code(rawValue: "empty_payload")
        /// The payload is not as long as its rows say, or the picture is not as large as its header says.
        public static let sizeMismatch = Code(rawValue: "size_mismatch")
        /// The JPEG is cut off or damaged.
        public static let jpegCorrupt = Code(rawValue: "jpeg_corrupt")
        /// A JPEG of a kind that is not read.
        public static let jpegUnsupported = Code(rawValue: "jpeg_unsupported")
        /// The LZ4 data is cut off or damaged.
        public static let lz4Corrupt = Code(rawValue: "lz4_corrupt")

        /// A configure body that is not a JSON object.
        public static let badConfiguration = Code(rawValue: "bad_configuration")
        /// A configure field that does not exist.
        public static let unknownOption = Code(rawValue: "unknown_option")
        /// A configure field with a value it cannot have.
        public static let badOption = Code(rawValue: "bad_option")
        /// A language that the level's models cannot read.
        public static let unsupportedLanguage = Code(rawValue: "unsupported_language")
        /// A level the server was started without.
        public static let levelUnavailable = Code(rawValue: "level_unavailable")

        /// The server asks for a token first.
        public static let authRequired = Code(rawValue: "auth_required")
        /// The token is wrong.
        public static let authFailed = Code(rawValue: "auth_failed")

        /// Too many wrong tokens came from the client's address.
        public static let tooManyGuesses = Code(rawValue: "too_many_guesses")
        /// The client took too long for a message, or for the next one.
        public static let timeout = Code(rawValue: "timeout")
        /// As many connections as there may be are open.
        public static let tooManyConnections = Code(rawValue: "too_many_connections")
        /// The server has no memory for this frame now.
        public static let overloaded = Code(rawValue: "overloaded")
        /// The client does not take its lines.
        public static let slowReader = Code(rawValue: "slow_reader")

        /// The server failed on this frame; it is the server's fault.
        public static let internalError = Code(rawValue: "internal_error")

        /// Every code of this version, in the order of Protocol.md's table.
        public static let allCases: [Code] = [
            .messageTooLarge, .messageTooShort, .wrongProtocol, .unknownType, .unknownFormat,
            .unsupportedFlag, .badOrientation, .badDimensions, .tooManyPixels,
            .emptyPayload, .sizeMismatch, .jpegCorrupt, .jpegUnsupported,
            .lz4Corrupt, .badConfiguration, .unknownOption, .badOption,
            .unsupportedLanguage, .levelUnavailable, .authRequired, .authFailed,
            .tooManyGuesses, .timeout, .tooManyConnections, .overloaded, .slowReader, .internalError,
        ]
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
    /// Whether the connection ends with this error, since the next message's start or the client is unknown.
    public var isFatal: Bool {
        switch self {
        case .messageTooLarge, .messageTooShort, .wrongProtocol, .authRequired, .authFailed, .tooManyGuesses, .timeout,
            .tooManyConnections, .slowReader:
            true
        default: false
        }
    }
}
