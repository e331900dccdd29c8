/// Votes of a frame's lines, by which its other lines are read.
package struct LineVotes: Sendable {
    /// Votes for the reading direction.
    var directions = DirectionVotes()
    /// Votes for the script.
    var scripts = ScriptVotes()

    package init() {}

    /// Creates votes that were counted.
    init(directions: DirectionVotes, scripts: ScriptVotes) { (self.directions, self.scripts) = (directions, scripts) }
}
