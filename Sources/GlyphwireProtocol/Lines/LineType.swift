/// Type of a server's line, as its member `type` names it.
package enum LineType: String, Sendable, CaseIterable {
    case hello
    case configured
    case result
    case pong
    case stats
    case error
    case end
    case goAway = "goaway"
}
