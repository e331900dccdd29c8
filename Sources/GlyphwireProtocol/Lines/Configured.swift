/// Options now in effect.
public struct Configured: Sendable, Hashable {
    /// Sequence number of the `configure` message.
    public var sequence: UInt64
    /// All options in effect, without the token.
    public var options: StreamConfiguration
    /// Number of unanswered frames after which the server stops reading from the socket.
    ///
    /// It is `nil` where newer frames supersede older ones.
    public var window: Int?

    /// Creates the answer to the `configure` numbered `sequence`, without the token.
    public init(sequence: UInt64, options: StreamConfiguration, window: Int? = nil) {
        self.sequence = sequence
        self.options = options
        self.options.token = nil
        self.options.temporal = options.isTemporal
        self.window = window
    }
}

extension Configured: LineContent {
    static let lineType = LineType.configured

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, options: StreamConfiguration())
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "window": self.window = try reader.integer()
            case "options": self.options = try StreamConfiguration(echoedIn: &reader)
            default: try reader.skipValue()
            }
        }
    }

    /// Writes the members; the token is omitted.
    func writeMembers(into json: inout JSONBuilder) {
        var options = self.options
        options.token = nil
        json.integer("sequence", self.sequence)
        if let window = self.window { json.integer("window", window) }
        json.object("options") { options.writeMembers(into: &$0) }
    }
}
