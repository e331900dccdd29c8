public import GlyphwireProtocol
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Error of a connection that cannot be made or has failed.
public struct GlyphwireClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Kind of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case cannotConnect, timedOut, notGlyphwire, unsupportedProtocol, connectionLost, refused, badLine,
                lineTooLong
            case messageTooLarge, closed
        }

        private let value: Value

        /// No server answers at the address, or TLS fails.
        public static let cannotConnect = Code(value: .cannotConnect)
        /// A peer answers, but sends no `hello` in time.
        public static let timedOut = Code(value: .timedOut)
        /// The peer is not a Glyphwire server.
        public static let notGlyphwire = Code(value: .notGlyphwire)
        /// The server uses another version of the protocol.
        public static let unsupportedProtocol = Code(value: .unsupportedProtocol)
        /// The connection broke, or the server closed it before the end of the stream.
        public static let connectionLost = Code(value: .connectionLost)
        /// The server rejected a message; ``GlyphwireClientError/wireError`` has the reason.
        public static let refused = Code(value: .refused)
        /// The server sent a line that does not conform to Protocol.md.
        public static let badLine = Code(value: .badLine)
        /// The server sent a line longer than ``GlyphwireConnection/Configuration/maxLineBytes``.
        public static let lineTooLong = Code(value: .lineTooLong)
        /// A message exceeds the server's limit, and was not sent; the connection stays open, unless it was its
        /// options.
        public static let messageTooLarge = Code(value: .messageTooLarge)
        /// The connection was used after it was finished or closed.
        public static let closed = Code(value: .closed)

        /// Name of the code.
        public var description: String { self.value.rawValue }
    }

    /// Kind of error.
    public var code: Code
    /// A sentence with the cause, the place and the remedy.
    public var message: String
    /// Error from the server, if the server caused this one.
    public var wireError: WireError?
    /// Error from the system, if the system caused this one.
    public var underlying: (any Error)?
    /// Whether another connection would fail the same way, as after a TLS handshake that failed, whatever the code.
    var isFinal = false

    /// Creates an error of `code` with a message.
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

    /// Whether two errors have the same code and the same server code.
    public static func == (a: GlyphwireClientError, b: GlyphwireClientError) -> Bool {
        a.code == b.code && a.wireError?.code == b.wireError?.code
    }
}

extension GlyphwireClientError {
    /// Creates the error of a message that the server rejected.
    static func refused(_ error: WireError) -> GlyphwireClientError {
        GlyphwireClientError(
            .refused,
            "the server refused: \(error.message) (\(error.code.rawValue))",
            wireError: error
        )
    }

    /// Error of a connection that was used after its end.
    static let closed = GlyphwireClientError(
        .closed,
        "the connection was finished or closed; connect again to send more"
    )

    /// The pause that must precede another attempt, whatever the policy says.
    package var minimumPause: Duration {
        self.code == .refused && self.wireError?.code == .tooManyGuesses ? .seconds(60) : .zero
    }

    /// Whether another connection with the same options would fail the same way.
    package var isPermanent: Bool {
        switch self.code {
        case .refused: self.wireError?.code.isRetryable == false
        case .notGlyphwire, .unsupportedProtocol, .badLine, .lineTooLong, .messageTooLarge, .closed: true
        default: self.isFinal
        }
    }
}

extension WireError.Code {
    /// The connection was lost before the frame was answered.
    ///
    /// Only clients report it; no server sends it.
    public static let connectionLost = WireError.Code(rawValue: "connection_lost")
}

extension Error {
    /// Short description of the error, without the types around it.
    package var reason: String {
        switch self {
        case let error as NIOConnectionError:
            if let attempt = error.connectionErrors.first { return attempt.error.reason }
            return error.dnsAError != nil || error.dnsAAAAError != nil ? "no such host" : "no address for the host"
        case let error as IOError:
            return String(cString: strerror(error.errnoCode))
        case let error as NIOSSLError:
            guard case .handshakeFailed(let failure) = error else { return "\(error)" }
            return "TLS failed: \(failure.reasonName ?? "\(failure)")"
        case let error as BoringSSLError:
            return "TLS failed: \(error.reasonName ?? "\(error)")"
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            return "TLS failed: the certificate is for another host name"
        default:
            return "\(self)"
        }
    }
}

extension BoringSSLError {
    /// Name of the reason in words, such as `certificate verify failed`; `nil` if the error has none.
    fileprivate var reasonName: String? {
        // "error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at FILE:LINE"
        let text = "\(self)"
        guard let start = text.firstRange(of: "OPENSSL_internal:") else { return nil }
        return text[start.upperBound...].prefix { $0.isUppercase || $0.isNumber || $0 == "_" }.lowercased()
            .replacing("_", with: " ")
    }
}
