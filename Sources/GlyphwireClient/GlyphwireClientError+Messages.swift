internal import GlyphwireProtocol
internal import NIOCore
internal import NIOSSL

/// Errors of a stream to the server at an address, with the cause and the remedy.
extension GlyphwireClientError {
    /// Error of an address at which no connection can be opened.
    static func cannotConnect(to address: String, _ error: any Error) -> GlyphwireClientError {
        GlyphwireClientError(
            .cannotConnect,
            "cannot connect to \(address): \(error.reason); "
                + "check that a server listens there (glyphwire serve) and that host and port are right",
            underlying: error
        )
    }

    /// Error of a port that is none of TCP.
    static func noPort(_ port: Int) -> GlyphwireClientError {
        GlyphwireClientError(.cannotConnect, "a server's port is 1 to 65535, and cannot be \(port)")
    }

    /// Error of a peer that has sent no `hello` within `time`.
    static func noHello(from address: String, within time: Duration) -> GlyphwireClientError {
        GlyphwireClientError(
            .timedOut,
            "\(address) sent no hello line within \(time); check that a Glyphwire server listens there"
        )
    }

    /// Error of a peer that has closed the first connection and sent no `hello`.
    static func closedBeforeHello(_ address: String) -> GlyphwireClientError {
        GlyphwireClientError(
            .connectionLost,
            "the connection to \(address) was closed before a hello line; is this the port for frames (7411), "
                + "not the one for HTTP? If it is, the server's log says why"
        )
    }

    /// Error of a server that was silent for `time` while answers were due or, where it `isLeaving`, its close.
    static func silent(_ address: String, for time: Duration, isLeaving: Bool) -> GlyphwireClientError {
        let reason = isLeaving ? "after it said that it stops" : "while messages were unanswered"
        return GlyphwireClientError(
            .connectionLost,
            "\(address) has sent nothing for \(time) \(reason); the server or the network may be "
                + "down, or answerTimeout too short for a server that many share"
        )
    }

    /// Error of a connection that was closed from outside.
    ///
    /// - Parameters:
    ///   - address: The server's address.
    ///   - error: The reason, if the system or TLS has one.
    ///   - isLeaving: Whether the server had announced that it stops.
    /// - Returns: The error.
    static func lost(_ address: String, _ error: (any Error)?, isLeaving: Bool) -> GlyphwireClientError {
        let reason = error.map { "broke: \($0.reason)" } ?? "was closed by the server"
        let advice =
            isLeaving
            ? "the server stops, and accepted nothing more; connect again later"
            : "the server may have stopped, see its log"
        return GlyphwireClientError(
            .connectionLost,
            "the connection to \(address) \(reason); \(advice)",
            underlying: error
        )
    }

    /// Error of a TLS handshake that failed, as another one would.
    static func notSecured(_ address: String, _ error: any Error) -> GlyphwireClientError {
        var failure = GlyphwireClientError(
            .cannotConnect,
            "cannot connect to \(address): \(error.reason); \(error.handshakeAdvice)",
            underlying: error
        )
        failure.isFinal = true
        return failure
    }

    /// Error of a message of `size` bytes, above the `limit` of the server.
    static func tooLarge(_ size: Int, limit: Int, for address: String) -> GlyphwireClientError {
        GlyphwireClientError(
            .messageTooLarge,
            "a message of \(size) bytes, but \(address) accepts at most \(limit); send a smaller picture, or JPEG"
        )
    }

    /// Error of a line that cannot be parsed.
    ///
    /// - Parameters:
    ///   - bytes: The line.
    ///   - error: The reason.
    ///   - address: The server's address.
    ///   - isFirst: Whether it came in place of a `hello`.
    /// - Returns: The error.
    static func unreadable(
        _ bytes: ByteBuffer,
        _ error: JSONError,
        from address: String,
        isFirst: Bool
    ) -> GlyphwireClientError {
        let start = String(buffer: bytes.getSlice(at: bytes.readerIndex, length: min(bytes.readableBytes, 60)) ?? bytes)
        return isFirst
            ? GlyphwireClientError(
                .notGlyphwire,
                "\(address) answers \(start.debugDescription), which is not a Glyphwire server; check the port",
                underlying: error
            )
            : GlyphwireClientError(
                .badLine,
                "\(address) sent an invalid line (\(error)): \(start.debugDescription)",
                underlying: error
            )
    }
}

extension NIOSSLError {
    /// Error of a peer that goes away during the handshake, as a server that stops does.
    fileprivate static let disconnect = NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))
}

extension Error {
    /// Whether a TLS handshake failed for a reason that another one would meet.
    ///
    /// With TLS 1.3 a server refuses a client's certificate only when the client holds the handshake to be over.
    var isHandshakeFailure: Bool {
        switch self {
        case let error as NIOSSLError:
            guard case .handshakeFailed = error else { return false }
            return error != .disconnect
        case let error as NIOSSLExtraError: return error == .failedToValidateHostname
        case let error as BoringSSLError:
            if case .sslError = error { return true } else { return false }
        default: return false
        }
    }

    /// What to do about a TLS handshake that failed.
    fileprivate var handshakeAdvice: String {
        switch self {
        case is NIOSSLExtraError: "connect to a host name that is in the server's certificate"
        case _ where self.reason.contains("certificate verify"):
            "trust the server's certificate or its authority, and check that the host name is in it"
        default: "check that the server speaks TLS, and whether it requires a client certificate"
        }
    }
}
