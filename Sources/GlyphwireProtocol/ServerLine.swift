internal import TextModel

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
