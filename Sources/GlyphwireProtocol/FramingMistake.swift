internal import NIOCore

/// Mistake of a client that explains why its bytes cannot be framed, recognized by how they begin.
package enum FramingMistake: Sendable, Equatable {
    /// The handshake of TLS.
    case tls
    /// An HTTP request.
    case http
    /// An HTTP request that asks for a WebSocket.
    case webSocket
    /// A request of a video player or camera, in RTSP.
    case rtsp
    /// A JPEG without the header of a frame.
    case jpeg
    /// Picture of another format, by its name, without the header of a frame.
    case otherPicture(String)
    /// A JSON object without the header of a message.
    case json
    /// The header of a proxy, which the server does not expect.
    case proxyHeader
    /// A length with its least significant byte first; most significant first it is `length`.
    case byteOrder(length: Int)

    /// Bytes of a request that are examined: its first lines.
    static let examinedByteCount = 2048

    /// Recognizes a mistake.
    ///
    /// - Parameters:
    ///   - start: The bytes from where a header belongs, as far as they have been received.
    ///   - limit: The longest message that is accepted.
    init?(_ start: ByteBuffer, limit: Int) {
        guard let length = start.getInteger(at: start.readerIndex, as: UInt32.self) else { return nil }
        switch length {
        case 0x1603_0000...0x1603_FFFF: self = .tls
        case 0xFFD8_FF00...0xFFD8_FFFF: self = .jpeg
        // A brace and text; a length with its least significant byte first ends with a small one.
        case 0x7B00_0000...0x7BFF_FFFF where length & 0xFF >= 0x20: self = .json
        case 0x5052_4F58 where start.getString(at: start.readerIndex, length: 6) == "PROXY ": self = .proxyHeader
        case 0x0D0A_0D0A where start.getInteger(at: start.readerIndex, as: UInt64.self) == Self.proxySignature:
            self = .proxyHeader
        default:
            if let name = Self.otherPictures[length] {
                self = .otherPicture(name)
            } else if let request = Self.request(start) {
                self = request
            } else if let swapped = Self.swapped(length, limit: limit) {
                self = .byteOrder(length: swapped)
            } else {
                return nil
            }
        }
    }

    /// What the client should do instead.
    package var advice: String {
        switch self {
        case .tls: "this is a TLS handshake: connect without TLS, or enable it in the server"
        case .http: "this is an HTTP request, but this port takes Glyphwire's own protocol over TCP: see Protocol.md"
        case .webSocket:
            "this is a WebSocket handshake, which is an HTTP request: connect over plain TCP, or through a bridge such as "
                + "websockify"
        case .rtsp:
            "this is an RTSP request: the server receives frames and plays no video; send it the pictures of the camera"
        case .jpeg: "this is how a JPEG begins: send the header of 32 bytes in front of each picture"
        case .otherPicture(let name):
            "this is how a \(name) begins: send JPEG, LZ4 or raw pixels, each behind a header of 32 bytes"
        case .json: "this is how JSON begins: send it behind a header of 32 bytes, with the type 2 for configure"
        case .proxyHeader:
            "this is a PROXY header: start the server with --proxy-protocol, or let the proxy send none"
        case .byteOrder(let length):
            "if it has \(length), send the length with its most significant byte first (network byte order), else send "
                + "smaller frames"
        }
    }

    /// Names of pictures by their first four bytes.
    private static let otherPictures: [UInt32: String] = [
        0x8950_4E47: "PNG", 0x4749_4638: "GIF", 0x5249_4646: "WebP", 0x4949_2A00: "TIFF", 0x4D4D_002A: "TIFF",
    ]
    /// The first eight bytes of version 2 of the PROXY protocol.
    private static let proxySignature: UInt64 = 0x0D0A_0D0A_000D_0A51
    /// The first four characters of the methods of HTTP, and of the first request of HTTP/2.
    private static let httpMethods: Set = [
        "GET ", "HEAD", "POST", "PUT ", "DELE", "OPTI", "PATC", "CONN", "TRAC", "PRI ",
    ]
    /// The first four characters of the methods of RTSP (RFC 2326) that HTTP does not have.
    private static let rtspMethods: Set = [
        "DESC", "ANNO", "SETU", "PLAY", "PAUS", "RECO", "TEAR", "GET_", "SET_", "REDI",
    ]

    /// The request that the bytes begin with.
    private static func request(_ start: ByteBuffer) -> FramingMistake? {
        let bytes = start.readableBytesView.prefix(Self.examinedByteCount)
        let text = String(decoding: bytes, as: UTF8.self)
        let method = String(text.prefix(4))
        guard !Self.rtspMethods.contains(method) else { return .rtsp }
        guard Self.httpMethods.contains(method) else { return nil }
        let lines = text.lowercased().split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let request = lines.first, !request.contains("rtsp/"), !request.contains("rtsp:") else { return .rtsp }
        let asksForWebSocket = lines.contains { $0.hasPrefix("upgrade:") && $0.contains("websocket") }
        return asksForWebSocket ? .webSocket : .http
    }

    /// The length in the other byte order, where it fits and the length as received fits no server's default limit.
    private static func swapped(_ length: UInt32, limit: Int) -> Int? {
        let swapped = Int(length.byteSwapped)
        let fits = (MessageHeader.minimumLength...max(limit, MessageHeader.minimumLength)).contains(swapped)
        return fits && Int(length) > WireLimits().maxMessageBytes ? swapped : nil
    }
}
