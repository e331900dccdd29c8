/// Last line of a stream that its client ended.
public struct EndLine: Sendable, Hashable {
    /// Sequence number of the `end` message.
    public var sequence: UInt64
    /// Number of frames answered on this connection.
    public var frames: UInt64

    /// Creates the answer to the `end` numbered `sequence`.
    public init(sequence: UInt64, frames: UInt64) {
        self.sequence = sequence
        self.frames = frames
    }
}

extension EndLine: LineContent {
    static let lineType = LineType.end

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, frames: 0)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "frames": self.frames = try reader.unsignedInteger()
            default: try reader.skipValue()
            }
        }
    }

    func writeMembers(into json: inout JSONBuilder) {
        json.integer("sequence", self.sequence)
        json.integer("frames", self.frames)
    }
}
