/// Frames of one connection of a run.
package struct ConnectionShare: Sendable, Codable, Equatable {
    /// Number of the connection, from 1.
    package var connection: Int
    /// Number of frames that were due, sent or not.
    package var offered = 0
    /// Number of frames that were read.
    package var ok = 0

    /// Share of the offered frames that were read, 0...1.
    var readShare: Double { Double(self.ok) / Double(max(self.offered, 1)) }

    /// Records the outcome of a frame.
    mutating func frameEnded(_ status: FrameStatus) {
        self.offered += 1
        if status == .ok { self.ok += 1 }
    }
}

extension [ConnectionShare] {
    /// Connection with the smallest share of its frames read; `nil` where there are not several to compare.
    var worst: ConnectionShare? {
        guard self.count > 1 else { return nil }
        return self.filter { $0.offered > 0 }.min { $0.readShare < $1.readShare }
    }
}
