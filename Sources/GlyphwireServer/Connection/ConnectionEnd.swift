internal import GlyphwireProtocol

/// Reason why a connection ended, as the log and the metrics name it.
///
/// The codes of fatal errors are those of Protocol.md; where more is known than such a code says, a reason of its own does.
package enum ConnectionEnd: String, CaseIterable, Sendable {
    /// The client sent an `end`, and all its messages were answered.
    case ended
    /// The client closed its side without an `end`.
    case clientClosed = "client_closed"
    /// The network or the client's system cut the connection.
    case connectionLost = "connection_lost"
    /// The server stopped.
    case serverStopped = "server_stopped"
    /// TLS could not be established: versions, certificates or ciphers do not fit.
    case handshakeFailed = "tls_handshake_failed"
    /// The client sent plain bytes where the server speaks TLS.
    case tlsMissing = "tls_missing"
    /// The client speaks TLS, and the server does not.
    case tlsUnexpected = "tls_unexpected"
    /// No valid PROXY header came where one is expected.
    case proxyHeaderMissing = "proxy_header_missing"
    /// The client sent an HTTP request to the frame port.
    case httpRequest = "http_request"
    /// The client sent a WebSocket handshake to the frame port.
    case webSocketRequest = "websocket_request"
    /// The client sent an RTSP request to the frame port.
    case rtspRequest = "rtsp_request"
    /// A picture came without the header of a frame.
    case bareImage = "bare_image"
    /// The length field was sent in the wrong byte order.
    case byteOrder = "wrong_byte_order"
    /// The client's token was revoked.
    case tokenRevoked = "token_revoked"
    /// The client's token has expired.
    case tokenExpired = "token_expired"

    case messageTooLarge = "message_too_large"
    case messageTooShort = "message_too_short"
    case wrongProtocol = "wrong_protocol"
    case authenticationRequired = "auth_required"
    case authenticationFailed = "auth_failed"
    case tooManyGuesses = "too_many_guesses"
    case timeout
    case tooManyConnections = "too_many_connections"
    case slowReader = "slow_reader"

    /// The reason that the mistake in unframeable bytes is.
    init(_ mistake: FramingMistake) {
        self =
            switch mistake {
            case .tls: .tlsUnexpected
            case .http: .httpRequest
            case .webSocket: .webSocketRequest
            case .rtsp: .rtspRequest
            case .jpeg, .otherPicture: .bareImage
            case .byteOrder: .byteOrder
            case .json, .proxyHeader: .messageTooLarge
            }
    }

    /// The reason of a connection that is closed without its error.
    init(refusedWith error: WireError?) {
        self = error?.code == .tooManyGuesses ? .tooManyGuesses : .tooManyConnections
    }

    /// The reason that a token's refusal is.
    init(_ refusal: AccessControl.Refusal) {
        self =
            switch refusal {
            case .expired: .tokenExpired
            case .revoked: .tokenRevoked
            case .inUse: .tooManyConnections
            }
    }
}
