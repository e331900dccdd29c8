/// Numbers of frames by the `status` of their results.
public struct FramesByStatus: Sendable, Hashable {
    /// Number of frames that were read.
    public var ok: Int
    /// Number of frames that were answered with an error.
    public var error: Int
    /// Number of frames that a newer one superseded.
    public var dropped: Int
    /// Number of frames whose deadline had passed.
    public var expired: Int

    /// Creates numbers, each 0 by default.
    public init(ok: Int = 0, error: Int = 0, dropped: Int = 0, expired: Int = 0) {
        self.ok = ok
        self.error = error
        self.dropped = dropped
        self.expired = expired
    }

    /// Number of all frames with a result.
    public var total: Int { self.ok + self.error + self.dropped + self.expired }
}

extension FramesByStatus {
    mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "ok": self.ok = try reader.integer()
            case "error": self.error = try reader.integer()
            case "dropped": self.dropped = try reader.integer()
            case "expired": self.expired = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }

    func writeMembers(into json: inout JSONBuilder) {
        json.integer("ok", self.ok)
        json.integer("error", self.error)
        json.integer("dropped", self.dropped)
        json.integer("expired", self.expired)
    }
}
