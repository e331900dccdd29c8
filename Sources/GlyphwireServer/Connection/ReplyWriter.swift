internal import TextModel
internal import GlyphwireProtocol
internal import NIOCore
internal import SystemSupport

/// Writer of reply lines, with the values that all connections of a server share.
struct ReplyWriter: Sendable {
    private let hello: ByteBuffer
    private let goAway: GoAway

    /// Creates a writer for a server.
    ///
    /// - Parameters:
    ///   - hello: The first line of every connection.
    ///   - grace: How long connections stay open when the server stops.
    init(hello: Hello, grace: Duration) {
        self.hello = Self.written(.hello(hello))
        self.goAway = GoAway(graceMilliseconds: (grace.microseconds + 500) / 1000)
    }

    /// Writes a reply, and accounts for it.
    ///
    /// - Parameters:
    ///   - reply: The reply.
    ///   - accounting: The accounting of the connection.
    /// - Returns: The line, with its line feed.
    func line(for reply: ConnectionStateMachine.Reply, accounting: ConnectionAccounting) -> ByteBuffer {
        let line: ByteBuffer
        switch reply {
        case .hello:
            line = self.hello
        case .frame(let frame):
            line = frame.line
            accounting.frameAnswered(frame.result)
        case .pong(var pong):
            pong.sentMicroseconds = WallClock.microseconds
            line = Self.written(.pong(pong))
        case .stats(let sequence):
            line = Self.written(.stats(accounting.stats(sequence: sequence)))
        case .goAway:
            line = Self.written(.goAway(self.goAway))
            accounting.ends(.serverStopped)
        case .line(let answer):
            line = Self.written(answer)
            Self.account(for: answer, accounting)
        }
        accounting.sent(byteCount: line.readableBytes)
        return line
    }

    private static func written(_ line: ServerLine) -> ByteBuffer {
        var buffer = ByteBuffer()
        LineWriter().write(line, into: &buffer)
        return buffer
    }

    /// Accounts for an answer that counts for more than its bytes.
    private static func account(for line: ServerLine, _ accounting: ConnectionAccounting) {
        switch line {
        case .result(let result): accounting.frameRefused(result)
        case .error(let error): accounting.errorSent(error)
        case .end: accounting.ends(.ended)
        default: break
        }
    }
}
