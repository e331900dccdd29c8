package import GlyphwireProtocol
internal import TextModel
package import NIOCore

extension Message {
    /// A gray frame whose first pixel is `first`.
    package static func gray(_ sequence: UInt64, first: UInt8? = nil, byteCount: Int = 4) -> Message {
        var payload = ByteBuffer(repeating: 0, count: byteCount)
        payload.setInteger(first ?? UInt8(truncatingIfNeeded: sequence), at: 0)
        let (width, height) = byteCount <= 1024 ? (byteCount, 1) : (1024, byteCount / 1024)
        return Message(
            header: MessageHeader(
                type: .frame,
                format: .gray,
                sequence: sequence,
                width: UInt16(width),
                height: UInt16(height),
                payloadByteCount: byteCount
            ),
            payload: payload
        )
    }

    /// A configure message with any body.
    package static func configure(body: String, sequence: UInt64 = 0) -> Message {
        let body = ByteBuffer(string: body)
        return Message(
            header: MessageHeader(type: .configure, sequence: sequence, payloadByteCount: body.readableBytes),
            payload: body
        )
    }

    package var bytes: ByteBuffer {
        var bytes = ByteBuffer()
        self.write(into: &bytes)
        return bytes
    }
}

extension [Message] {
    /// Bytes of all messages in order.
    package var bytes: ByteBuffer {
        self.reduce(into: ByteBuffer()) { bytes, message in message.write(into: &bytes) }
    }
}

extension ServerLine {
    /// Short summary of a line, for comparison in tests.
    package var summary: String {
        switch self {
        case .hello: "hello"
        case .configured(let configured): "configured \(configured.sequence)"
        case .result(let result):
            switch result.outcome {
            case .ok(let text): "\(result.sequence): \(text.text)"
            case .error(let error): "\(result.sequence): \(error.code.rawValue)"
            case .dropped(let newer): "\(result.sequence): dropped by \(newer)"
            case .expired: "\(result.sequence): expired"
            case .other(let status): "\(result.sequence): ? \(status)"
            }
        case .pong(let pong): "pong \(pong.sequence)"
        case .stats(let stats): "stats \(stats.sequence)"
        case .error(let line): "\(line.error.code.rawValue) \(line.sequence.map(String.init) ?? "-")"
        case .end(let end): "end \(end.sequence) after \(end.frames)"
        case .goAway(let goAway): "goaway \(goAway.graceMilliseconds)"
        case .other(let type): "? \(type)"
        }
    }
}
