internal import GlyphwireProtocol
internal import NIOCore

/// PROXY protocol header, version 1 or 2, by which a proxy reports the client's address.
struct ProxyHeader: Equatable {
    /// Client's address; `nil` where the proxy connects on its own behalf or does not know it.
    let client: SocketAddress?

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// Maximum length of a version 1 line, with its end.
    private static let maxLineByteCount = 107
    /// Maximum length of version 2 addresses and extensions, more than proxies send.
    private static let maxBodyByteCount = 4096

    /// Parses a header at the front of `buffer`.
    ///
    /// - Parameter buffer: The bytes received; its reader index moves past a whole header.
    /// - Returns: `nil` until the whole header has arrived.
    /// - Throws: ``WireError`` if the bytes are not the beginning of a header.
    static func next(in buffer: inout ByteBuffer) throws(WireError) -> ProxyHeader? {
        let start = buffer.readableBytesView.prefix(self.signature.count)
        guard let first = start.first else { return nil }
        if first == self.signature[0] {
            guard self.signature.starts(with: start) else { throw self.missing }
            return start.count < self.signature.count ? nil : try self.binary(&buffer)
        }
        guard "PROXY ".utf8.starts(with: start.prefix(6)) else { throw self.missing }
        return try self.line(&buffer)
    }

    /// Parses a header of version 2.
    private static func binary(_ buffer: inout ByteBuffer) throws(WireError) -> ProxyHeader? {
        var rest = buffer
        rest.moveReaderIndex(forwardBy: self.signature.count)
        guard let (command, family, length) = rest.readMultipleIntegers(as: (UInt8, UInt8, UInt16).self) else {
            return nil
        }
        guard command == 0x20 || command == 0x21, length <= self.maxBodyByteCount else { throw self.missing }
        guard var body = rest.readSlice(length: Int(length)) else { return nil }
        let client: SocketAddress?
        switch (command, family) {
        case (0x21, 0x11):
            guard
                let bytes = body.readBytes(length: 4), body.moveReaderIndex(within: 4),
                let port = body.readInteger(as: UInt16.self)
            else { throw self.missing }
            client = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: Int(port))
        case (0x21, 0x21):
            guard
                let bytes = body.readBytes(length: 16), body.moveReaderIndex(within: 16),
                let port = body.readInteger(as: UInt16.self)
            else { throw self.missing }
            client = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: Int(port))
        default:
            client = nil
        }
        buffer = rest
        return ProxyHeader(client: client)
    }

    /// Parses a header of version 1, a line of text.
    private static func line(_ buffer: inout ByteBuffer) throws(WireError) -> ProxyHeader? {
        let view = buffer.readableBytesView.prefix(self.maxLineByteCount)
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else {
            guard view.count < self.maxLineByteCount else { throw self.missing }
            return nil
        }
        guard end > view.startIndex, view[end - 1] == UInt8(ascii: "\r") else { throw self.missing }
        let words = String(decoding: view[..<(end - 1)], as: UTF8.self).split(
            separator: " ",
            omittingEmptySubsequences: false
        )
        buffer.moveReaderIndex(forwardBy: end + 1 - view.startIndex)
        guard words.count > 1, words[1] != "UNKNOWN" else {
            guard words.count > 1 else { throw self.missing }
            return ProxyHeader(client: nil)
        }
        guard
            words.count == 6, ["TCP4", "TCP6"].contains(words[1]), let port = UInt16(words[4]),
            let client = try? SocketAddress(ipAddress: String(words[2]), port: Int(port))
        else { throw self.missing }
        return ProxyHeader(client: client)
    }

    private static let missing = WireError(
        .wrongProtocol,
        "this port takes connections from a proxy, which must begin with a PROXY header of version 1 or 2; "
            + "connect through the proxy, or start the server without --proxy-protocol"
    )
}

extension ByteBuffer {
    /// Skips `count` bytes if that many are readable.
    fileprivate mutating func moveReaderIndex(within count: Int) -> Bool {
        guard self.readableBytes >= count else { return false }
        self.moveReaderIndex(forwardBy: count)
        return true
    }
}
