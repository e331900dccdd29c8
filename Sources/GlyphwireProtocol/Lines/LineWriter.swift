public import NIOCore

/// Serializer of the server's lines of JSON.
///
/// Equal values always give equal bytes: members have a fixed order, and zeros are written. Only the growth of the
/// buffer allocates.
public struct LineWriter: Sendable {
    /// Creates a writer, which has no state.
    public init() {}

    /// Appends one line of any type.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - buffer: The buffer to append to.
    public func write(_ line: ServerLine, into buffer: inout ByteBuffer) {
        switch line {
        case .hello(let hello): self.write(hello, into: &buffer)
        case .configured(let configured): self.write(configured, into: &buffer)
        case .result(let result): self.write(result, into: &buffer)
        case .pong(let pong): self.write(pong, into: &buffer)
        case .stats(let stats): self.write(stats, into: &buffer)
        case .error(let error): self.write(error, into: &buffer)
        case .end(let end): self.write(end, into: &buffer)
        case .goAway(let goAway): self.write(goAway, into: &buffer)
        case .other(let type): self.write(type: type, into: &buffer) { _ in }
        }
    }

    /// Appends a `result` line.
    ///
    /// - Parameters:
    ///   - result: The line's content.
    ///   - picture: The name of the picture file, which lines of a connection do not have.
    ///   - buffer: The buffer to append to.
    public func write(result: FrameResult, picture: String? = nil, into buffer: inout ByteBuffer) {
        self.write(type: FrameResult.lineType.rawValue, into: &buffer) { json in
            result.writeMembers(into: &json, picture: picture)
        }
    }

    private func write<Content: LineContent>(_ content: Content, into buffer: inout ByteBuffer) {
        self.write(type: Content.lineType.rawValue, into: &buffer) { content.writeMembers(into: &$0) }
    }

    /// Appends a line of a `type` with the members that `body` writes.
    @inline(__always)
    private func write(type: String, into buffer: inout ByteBuffer, _ body: (inout JSONBuilder) -> Void) {
        buffer.writeJSON { json in
            json.object { json in
                json.string("type", type)
                body(&json)
            }
            json.byte(UInt8(ascii: "\n"))
        }
    }
}
