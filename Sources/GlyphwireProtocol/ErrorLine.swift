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
