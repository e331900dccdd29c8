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
        var line = ByteBuffer()
        LineWriter().write(hello: hello, into: &line)
        self.hello = line
        self.goAway = GoAway(graceMilliseconds: (grace.microseconds + 500) / 1000)
    }

    /// Writes a reply, and accounts for it.
    ///
    /// - Parameters:
    ///   - reply: The reply.
    ///   - accounting: The accounting of the connection.
    /// - Returns: The line, with its line feed.
    func line(for reply: ConnectionStateMachine.Reply, accounting: ConnectionAccounting) -> ByteBuffer {
        let writer = LineWriter()
        var line = ByteBuffer()
        switch reply {
        case .hello:
            line = self.hello
        case .frame(let frame):
            line = frame.line
            accounting.frameAnswered(frame.result)
        case .badFrame(let result):
            writer.write(result: result, into: &line)
            accounting.frameRefused(result)
        case .configured(let configured):
            writer.write(configured: configured, into: &line)
        case .pong(var pong):
            pong.sentMicroseconds = WallClock.microseconds
            writer.write(pong: pong, into: &line)
        case .stats(let sequence):
            writer.write(stats: accounting.stats(sequence: sequence), into: &line)
        case .error(let error):
            writer.write(error: error, into: &line)
            accounting.errorSent(error)
        case .goAway:
            writer.write(goAway: self.goAway, into: &line)
            accounting.ends(.serverStopped)
        case .end(let end):
            writer.write(end: end, into: &line)
            accounting.ends(.ended)
        }
        accounting.sent(byteCount: line.readableBytes)
        return line
    }
}
