public import GlyphwireProtocol
internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Why a connection could not be made, or cannot be used any more.
public struct GlyphwireClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of trouble it is.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case cannotConnect, timedOut, notGlyphwire, unsupportedProtocol, connectionLost, refused, badLine,
                lineTooLong
            case messageTooLarge, closed
        }

        private let value: Value

        /// Nobody answers at that address.
        public static let cannotConnect = Code(value: .cannotConnect)
        /// Somebody answers, but does not greet in time.
        public static let timedOut = Code(value: .timedOut)
        /// What answers is no Glyphwire server.
        public static let notGlyphwire = Code(value: .notGlyphwire)
        /// The server speaks another version of the protocol.
        public static let unsupportedProtocol = Code(value: .unsupportedProtocol)
        /// The connection broke, or the server closed it before the stream was ended.
        public static let connectionLost = Code(value: .connectionLost)
        /// The server refused a message; ``GlyphwireClientError/wireError`` says why.
        public static let refused = Code(value: .refused)
        /// The server sent a line that is not what Protocol.md says.
        public static let badLine = Code(value: .badLine)
        /// The server sent a line longer than ``GlyphwireConnection/Configuration/maxLineBytes``.
        public static let lineTooLong = Code(value: .lineTooLong)
        /// A message is larger than the server takes; it was not sent, and the connection lives.
        public static let messageTooLarge = Code(value: .messageTooLarge)
        /// The connection was used after it was finished or closed.
        public static let closed = Code(value: .closed)

        /// The code's name.
        public var description: String { self.value.rawValue }
    }

    /// What kind of trouble it is.
    public var code: Code
    /// What was wrong, where, and what to do, in a sentence.
    public var message: String
    /// What the server said, where it is the server that objects.
    public var wireError: WireError?
    /// What the system said, where it is the system that failed.
    public var underlying: (any Error)?

    /// An error of `code`, said in a sentence.
    public init(
        _ code: Code,
        _ message: String,
        wireError: WireError? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.wireError = wireError
        self.underlying = underlying
    }

    /// The message.
    public var description: String { self.message }

    /// Errors are equal when their codes and the server's codes are.
    public static func == (a: GlyphwireClientError, b: GlyphwireClientError) -> Bool {
        a.code == b.code && a.wireError == b.wireError
    }
}

extension GlyphwireClientError {
    /// That the server objects, as it says itself.
    static func refused(_ error: WireError) -> GlyphwireClientError {
        GlyphwireClientError(
            .refused,
            "the server refused: \(error.message) (\(error.code.rawValue))",
            wireError: error
        )
    }

    /// That the connection was used after its end.
    static let closed = GlyphwireClientError(
        .closed,
        "the connection was finished or closed; connect again to send more"
    )

    /// The pause that must precede another attempt, whatever the policy says.
    var minimumPause: Duration {
        self.code == .refused && self.wireError?.code == .tooManyGuesses ? .seconds(60) : .zero
    }

    /// Whether another attempt would end the same way.
    var isPermanent: Bool {
        switch self.code {
        case .refused:
            switch self.wireError?.code {
            case .authRequired, .authFailed, .messageTooLarge, .messageTooShort, .wrongProtocol: true
            default: false
            }
        case .notGlyphwire, .unsupportedProtocol, .badLine, .lineTooLong, .closed: true
        default: false
        }
    }
}

extension WireError.Code {
    /// The connection was lost before the frame was answered; only a client says this, no server sends it.
    public static let connectionLost = WireError.Code(rawValue: "connection_lost")
}

extension Error {
    /// The error in a few words, without the types around it.
    var reason: String {
        switch self {
        case let error as NIOConnectionError:
            if let attempt = error.connectionErrors.first { return attempt.error.reason }
            return error.dnsAError != nil || error.dnsAAAAError != nil ? "no such host" : "no address for the host"
        case let error as IOError:
            return String(cString: strerror(error.errnoCode))
        default:
            return "\(self)"
        }
    }
}
