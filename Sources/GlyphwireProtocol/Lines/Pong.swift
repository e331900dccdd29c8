/// Answer to a `ping`, with the timestamps for comparing two clocks.
public struct Pong: Sendable, Hashable {
    /// Sequence number of the `ping`.
    public var sequence: UInt64
    /// Capture time of the `ping`: the client's clock when it was sent.
    public var capturedMicroseconds: UInt64
    /// The server's clock when the `ping` was received, in microseconds since 1970.
    public var receivedMicroseconds: UInt64
    /// The server's clock when this was sent, in microseconds since 1970.
    public var sentMicroseconds: UInt64

    /// Creates the answer to a ping.
    public init(
        sequence: UInt64,
        capturedMicroseconds: UInt64,
        receivedMicroseconds: UInt64,
        sentMicroseconds: UInt64
    ) {
        self.sequence = sequence
        self.capturedMicroseconds = capturedMicroseconds
        self.receivedMicroseconds = receivedMicroseconds
        self.sentMicroseconds = sentMicroseconds
    }

    /// Microseconds by which the server's clock is ahead of the client's, for `clock_offset_us`.
    ///
    /// It assumes equal latency in both directions. Send several pings while no frames are in transit, and use the
    /// answer with the shortest round trip.
    ///
    /// - Parameter arrivedMicroseconds: The client's clock when this arrived; ``capturedMicroseconds`` is the same
    ///   clock when the ping was sent.
    /// - Returns: The offset; negative where the server's clock is behind.
    public func clockOffset(arrivedMicroseconds: UInt64) -> Int {
        // Each difference is exact modulo 2^64 and is halved before the addition.
        let there = Int(truncatingIfNeeded: self.receivedMicroseconds &- self.capturedMicroseconds)
        let back = Int(truncatingIfNeeded: self.sentMicroseconds &- arrivedMicroseconds)
        return there / 2 + back / 2
    }
}

extension Pong: LineContent {
    static let lineType = LineType.pong

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, capturedMicroseconds: 0, receivedMicroseconds: 0, sentMicroseconds: 0)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "captured_us": self.capturedMicroseconds = try reader.unsignedInteger()
            case "received_us": self.receivedMicroseconds = try reader.unsignedInteger()
            case "sent_us": self.sentMicroseconds = try reader.unsignedInteger()
            default: try reader.skipValue()
            }
        }
    }

    func writeMembers(into json: inout JSONBuilder) {
        json.integer("sequence", self.sequence)
        json.integer("captured_us", self.capturedMicroseconds)
        json.integer("received_us", self.receivedMicroseconds)
        json.integer("sent_us", self.sentMicroseconds)
    }
}
