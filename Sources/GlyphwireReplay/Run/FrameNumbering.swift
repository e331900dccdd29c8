internal import GlyphwireProtocol
internal import TextModel

/// Numbering of frames when a session is repeated, so that no sequence number or time occurs twice.
///
/// The first playback keeps the recorded values.
struct FrameNumbering {
    private var sequenceShift: UInt64 = 0
    private var timeShift: UInt64 = 0
    private var sequences: ClosedRange<UInt64>?
    private var firstTime: UInt64 = 0
    private var lastTimes: (before: UInt64, last: UInt64) = (0, 0)

    /// Returns the header to send for the next frame of the session.
    mutating func next(_ header: MessageHeader) -> MessageHeader {
        let sequence = header.sequence
        self.sequences =
            self.sequences.map { min($0.lowerBound, sequence)...max($0.upperBound, sequence) }
            ?? sequence...sequence
        let time = header.capturedMicroseconds
        if time > 0 {
            if self.firstTime == 0 { self.firstTime = time }
            self.lastTimes = (self.lastTimes.last, time)
        }
        var header = header
        header.sequence = sequence &+ self.sequenceShift
        if time > 0 { header.capturedMicroseconds = time &+ self.timeShift }
        return header
    }

    /// Starts another playback of the session.
    mutating func startOver() {
        if let sequences = self.sequences {
            self.sequenceShift &+= sequences.upperBound &- sequences.lowerBound &+ 1
        }
        let gap = self.lastTimes.before == 0 ? 0 : self.lastTimes.last &- self.lastTimes.before
        self.timeShift &+= self.lastTimes.last &- self.firstTime &+ gap
        self.sequences = nil
        self.firstTime = 0
        self.lastTimes = (0, 0)
    }
}
