/// Error in a peer's data: a code of Protocol.md and a message for people.
public struct WireError: Error, Sendable, Equatable {
    /// Code of the table of errors in Protocol.md: what was wrong with a message, a frame or a connection.
    ///
    /// The codes stand in the order of that table. A code never changes its meaning, and a newer server may send one that
    /// is not listed here. Those of picture files, which no connection has, are in `WireError+Files.swift`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The string on the wire.
        public let rawValue: String

        /// Creates a code, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        // Framing, which ends the connection: where the next message starts is unknown.

        /// The announced length exceeds the limit.
        public static let messageTooLarge = Code(rawValue: "message_too_large")
        /// The announced length is shorter than a header.
        public static let messageTooShort = Code(rawValue: "message_too_short")
        /// The bytes are of another protocol, such as plain text on a TLS port.
        public static let wrongProtocol = Code(rawValue: "wrong_protocol")

        // Header of a message.

        /// The message type is unknown.
        public static let unknownType = Code(rawValue: "unknown_type")
        /// A flag of the mandatory half is unknown.
        public static let unsupportedFlag = Code(rawValue: "unsupported_flag")
        /// The frame format is unknown.
        public static let unknownFormat = Code(rawValue: "unknown_format")
        /// The orientation is not 0...8.
        public static let badOrientation = Code(rawValue: "bad_orientation")
        /// The frame has no payload.
        public static let emptyPayload = Code(rawValue: "empty_payload")
        /// A side is zero or exceeds the limit, or rows are shorter than their pixels.
        public static let badDimensions = Code(rawValue: "bad_dimensions")
        /// The frame has more pixels than the limit.
        public static let tooManyPixels = Code(rawValue: "too_many_pixels")

        // Payload of a frame.

        /// The payload or the picture does not have the size in the header.
        public static let sizeMismatch = Code(rawValue: "size_mismatch")
        /// The JPEG is cut off or damaged.
        public static let jpegCorrupt = Code(rawValue: "jpeg_corrupt")
        /// The JPEG is of an unsupported kind.
        public static let jpegUnsupported = Code(rawValue: "jpeg_unsupported")
        /// The LZ4 data is cut off or damaged.
        public static let lz4Corrupt = Code(rawValue: "lz4_corrupt")

        // Body of a `configure`.

        /// The configure body is not a JSON object.
        public static let badConfiguration = Code(rawValue: "bad_configuration")
        /// The option does not exist.
        public static let unknownOption = Code(rawValue: "unknown_option")
        /// The option has a value that is not allowed.
        public static let badOption = Code(rawValue: "bad_option")
        /// The level's models do not support the language.
        public static let unsupportedLanguage = Code(rawValue: "unsupported_language")
        /// The server was started without the level.
        public static let levelUnavailable = Code(rawValue: "level_unavailable")

        // Access, which ends the connection.

        /// The server requires a token first.
        public static let authRequired = Code(rawValue: "auth_required")
        /// The token is wrong.
        public static let authFailed = Code(rawValue: "auth_failed")
        /// Too many wrong tokens were sent from the client's address.
        public static let tooManyGuesses = Code(rawValue: "too_many_guesses")

        // Load and time.

        /// The client took too long to send a message, or the next one.
        public static let timeout = Code(rawValue: "timeout")
        /// The maximum number of connections is open.
        public static let tooManyConnections = Code(rawValue: "too_many_connections")
        /// The server has no memory for this frame at present.
        public static let overloaded = Code(rawValue: "overloaded")
        /// The client does not read its lines.
        public static let slowReader = Code(rawValue: "slow_reader")

        // The server's own fault.

        /// The server failed on this frame through a fault of its own.
        public static let internalError = Code(rawValue: "internal_error")

        /// Every code of this version, in the order of Protocol.md's table.
        public static let allCases: [Code] = [
            .messageTooLarge, .messageTooShort, .wrongProtocol, .unknownType, .unsupportedFlag, .unknownFormat,
            .badOrientation, .emptyPayload, .badDimensions, .tooManyPixels, .sizeMismatch, .jpegCorrupt,
            .jpegUnsupported, .lz4Corrupt, .badConfiguration, .unknownOption, .badOption, .unsupportedLanguage,
            .levelUnavailable, .authRequired, .authFailed, .tooManyGuesses, .timeout, .tooManyConnections,
            .overloaded, .slowReader, .internalError,
        ]
    }

    /// Code of the violated rule.
    public var code: Code
    /// A sentence with the cause, the place and the remedy.
    public var message: String

    /// Creates an error of `code` with a message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension WireError.Code {
    /// Whether the connection ends with this error.
    public var isFatal: Bool {
        switch self {
        case .messageTooLarge, .messageTooShort, .wrongProtocol, .authRequired, .authFailed, .tooManyGuesses, .timeout,
            .tooManyConnections, .slowReader:
            true
        default: false
        }
    }

    /// Whether the same message may succeed without a change: "as is" or "later" in Protocol.md's table.
    ///
    /// An unknown code, of a newer server, may be retried as well.
    public var isRetryable: Bool {
        switch self {
        case .messageTooLarge, .messageTooShort, .wrongProtocol, .unknownType, .unsupportedFlag, .unknownFormat,
            .badOrientation, .emptyPayload, .badDimensions, .tooManyPixels, .sizeMismatch, .jpegCorrupt,
            .jpegUnsupported, .lz4Corrupt, .badConfiguration, .unknownOption, .badOption, .unsupportedLanguage,
            .levelUnavailable, .authRequired, .authFailed:
            false
        default: true
        }
    }
}
