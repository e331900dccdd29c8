internal import NIOConcurrencyHelpers

/// Counters of faulty clients' actions.
final class FaultTally: Sendable {
    struct Counts: Sendable {
        var slowReaderFrames = 0
        var slowReaderLines = 0
        var cuts = 0
        var reconnects = 0
        var corrupted = 0
        var corruptedErrors = 0
        /// Number of connections that the server refused or closed.
        var refused = 0
    }

    private let state = NIOLockedValueBox(Counts())

    func update(_ change: (inout Counts) -> Void) {
        self.state.withLockedValue { change(&$0) }
    }

    var counts: Counts { self.state.withLockedValue { $0 } }
}

extension FaultTally.Counts {
    /// Faults of the plan that did not happen, each in a sentence; the test says nothing about them.
    func missing(_ plan: FaultPlan) -> [String] {
        let faults = [
            (plan.slowReaders > 0 && self.slowReaderFrames == 0, "no slow reader has sent a frame"),
            (plan.cutAfter != nil && self.cuts == 0, "no connection was cut"),
            (plan.reconnects > 0 && self.reconnects == 0, "no connection was made and closed"),
            (plan.corrupt > 0 && self.corrupted == 0, "no frame was damaged"),
        ]
        return faults.filter(\.0).map(\.1)
    }

    /// Description of the actions, one line for each kind in the plan.
    func lines(_ plan: FaultPlan) -> [String] {
        var lines: [String] = []
        if plan.slowReaders > 0 {
            let sent = self.slowReaderFrames.counted("frame")
            let read = self.slowReaderLines.counted("line")
            lines.append("\(plan.slowReaders.counted("slow reader")) sent \(sent) and read \(read)")
        }
        if let bytes = plan.cutAfter { lines.append("\(self.cuts.counted("connection")) cut after \(bytes) bytes") }
        if plan.reconnects > 0 { lines.append("\(self.reconnects.counted("connection")) made and closed at once") }
        if plan.corrupt > 0 {
            lines.append("\(self.corrupted.counted("damaged frame")), \(self.corruptedErrors) answered with an error")
        }
        if self.refused > 0 {
            lines.append("\(self.refused.counted("faulty connection")) refused or closed by the server")
        }
        return lines
    }
}
