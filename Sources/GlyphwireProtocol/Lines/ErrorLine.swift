/// Error in a message other than a frame, or in the stream as a whole.
public struct ErrorLine: Sendable, Equatable {
    /// The error.
    public var error: WireError
    /// Sequence number of the message; `nil` if its header could not be parsed.
    public var sequence: UInt64?
    /// Whether this is the last line before the server closes the connection.
    public var isFatal: Bool

    /// Creates an error in the message numbered `sequence`; its code determines whether it is fatal.
    public init(error: WireError, sequence: UInt64?) {
        self.init(error: error, sequence: sequence, isFatal: error.code.isFatal)
    }

    /// Creates an error as a server reported it, possibly with an unknown code.
    package init(error: WireError, sequence: UInt64?, isFatal: Bool) {
        self.error = error
        self.sequence = sequence
        self.isFatal = isFatal
    }
}

extension ErrorLine: LineContent {
    static let lineType = LineType.error

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init(error: WireError(WireError.Code(rawValue: ""), ""), sequence: nil)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "code": self.error.code = WireError.Code(rawValue: try reader.string())
            case "message": self.error.message = try reader.string()
            case "fatal": self.isFatal = try reader.bool()
            case "sequence": self.sequence = reader.null() ? nil : try reader.unsignedInteger()
            default: try reader.skipValue()
            }
        }
    }

    func writeMembers(into json: inout JSONBuilder) {
        if let sequence = self.sequence { json.integer("sequence", sequence) } else { json.null("sequence") }
        json.error(self.error)
        json.bool("fatal", self.isFatal)
    }
}

extension JSONBuilder {
    /// Writes the members that an error has in a line.
    mutating func error(_ error: WireError) {
        self.string("code", error.code.rawValue)
        self.string("message", error.message)
    }
}
