public import NIOCore

/// Line from the server.
public enum ServerLine: Sendable, Equatable {
    /// The first line of every connection.
    case hello(Hello)
    /// The answer to `configure`.
    case configured(Configured)
    /// The answer to a frame.
    case result(FrameResult)
    /// The answer to `ping`.
    case pong(Pong)
    /// The answer to `stats`.
    case stats(Stats)
    /// The answer to a rejected message that is not a frame.
    case error(ErrorLine)
    /// The answer to `end`, and the last line.
    case end(EndLine)
    /// The server is about to stop.
    case goAway(GoAway)
    /// A line of a type unknown to this version; only a newer server sends one.
    case other(type: String)
}

extension ServerLine {
    /// Type and sequence number of the message that the line answers; `nil` for lines that no message asked for.
    ///
    /// It is `nil` for an error too, which has the number of its message and not the type.
    package var answered: (type: MessageType, sequence: UInt64)? {
        switch self {
        case .configured(let configured): (.configure, configured.sequence)
        case .result(let result): (.frame, result.sequence)
        case .pong(let pong): (.ping, pong.sequence)
        case .stats(let stats): (.stats, stats.sequence)
        case .end(let end): (.end, end.sequence)
        case .hello, .error, .goAway, .other: nil
        }
    }
}

extension ServerLine {
    /// Parses one line from a server.
    ///
    /// Unknown members are skipped and a line of an unknown type becomes ``other(type:)``, as Protocol.md requires for
    /// compatibility with newer servers.
    ///
    /// - Parameter line: The line's bytes, with or without the line feed.
    /// - Throws: ``JSONError`` for a line that does not conform to Protocol.md.
    public init(json line: ByteBuffer) throws(JSONError) {
        var reader = JSONReader(line)
        let type = try Self.type(in: reader)
        switch LineType(rawValue: type) {
        case .hello: self = .hello(try Hello(from: &reader))
        case .configured: self = .configured(try Configured(from: &reader))
        case .result: self = .result(try FrameResult(from: &reader))
        case .pong: self = .pong(try Pong(from: &reader))
        case .stats: self = .stats(try Stats(from: &reader))
        case .error: self = .error(try ErrorLine(from: &reader))
        case .goAway: self = .goAway(try GoAway(from: &reader))
        case .end: self = .end(try EndLine(from: &reader))
        case nil:
            try reader.skipValue()
            self = .other(type: type)
        }
        try reader.end()
    }

    /// The line's `type`, which need not be the first member.
    private static func type(in line: JSONReader) throws(JSONError) -> String {
        var reader = line
        try reader.beginObject()
        while let name = try reader.nextName() {
            if name == "type" { return try reader.string() }
            try reader.skipValue()
        }
        throw JSONError(message: "expected a member \"type\"", offset: 0)
    }
}
