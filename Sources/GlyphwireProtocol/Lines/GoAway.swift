/// Notice that the server is stopping: it answers accepted messages, accepts no more, and closes.
public struct GoAway: Sendable, Hashable {
    /// Time for the client to receive its last lines, in milliseconds.
    public var graceMilliseconds: Int

    /// Creates a notice.
    public init(graceMilliseconds: Int) { self.graceMilliseconds = graceMilliseconds }
}

extension GoAway: LineContent {
    static let lineType = LineType.goAway

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init(graceMilliseconds: 0)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "grace_ms": self.graceMilliseconds = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }

    func writeMembers(into json: inout JSONBuilder) {
        json.integer("grace_ms", self.graceMilliseconds)
    }
}
