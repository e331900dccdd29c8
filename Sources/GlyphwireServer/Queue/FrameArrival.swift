internal import FramePipeline
internal import GlyphwireProtocol

/// When a frame's last byte was there, and how old the picture was then.
struct FrameArrival: Sendable {
    /// When it was there.
    let time: ContinuousClock.Instant
    /// Time from its capture to ``time``; `nil` if unknown.
    ///
    /// Below zero where the client's idea of the clocks is wrong.
    private let age: Duration?

    /// A frame that has come in.
    ///
    /// - Parameters:
    ///   - time: When.
    ///   - wallMicroseconds: The same time on the server's clock that clients compare theirs with.
    ///   - capturedMicroseconds: When it was captured by the client's clock; 0 if unknown.
    ///   - clockOffset: By how many microseconds the server's clock is ahead of that; `nil` if unknown.
    init(
        at time: ContinuousClock.Instant,
        wallMicroseconds: @autoclosure () -> UInt64,
        capturedMicroseconds: UInt64,
        clockOffset: Int?
    ) {
        self.time = time
        guard capturedMicroseconds > 0, let clockOffset else {
            self.age = nil
            return
        }
        let captured = Int(clamping: capturedMicroseconds).addingReportingOverflow(clockOffset)
        let age = Int(clamping: wallMicroseconds()).subtractingReportingOverflow(captured.partialValue)
        self.age = captured.overflow || age.overflow ? nil : .microseconds(age.partialValue)
    }

    /// Time from the frame's capture until `now`, if it is known.
    func age(at now: ContinuousClock.Instant) -> Duration? { self.age.map { $0 + (now - self.time) } }

    /// Time from the frame's capture until `now` in whole milliseconds, if it is known.
    func ageMilliseconds(at now: ContinuousClock.Instant) -> Int? { self.age(at: now).map { $0.microseconds / 1000 } }
}
