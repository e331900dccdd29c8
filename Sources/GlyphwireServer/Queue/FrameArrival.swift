internal import TextModel
internal import GlyphwireProtocol

/// Arrival of a frame: the time of its last byte, and its age then.
struct FrameArrival: Sendable {
    /// Time of the last byte.
    let time: ContinuousClock.Instant
    /// Time from its capture to ``time``; `nil` if unknown.
    ///
    /// Negative where the client's estimate of the clock offset is wrong.
    private let age: Duration?

    /// Creates the arrival of a frame.
    ///
    /// - Parameters:
    ///   - time: The time of the last byte.
    ///   - wallMicroseconds: The same time on the server's wall clock.
    ///   - capturedMicroseconds: The capture time by the client's clock; 0, or one that no age can have, if unknown.
    ///   - clockOffset: Microseconds by which the server's clock is ahead of the client's; `nil` if unknown.
    init(
        at time: ContinuousClock.Instant,
        wallMicroseconds: @autoclosure () -> UInt64,
        capturedMicroseconds: UInt64,
        clockOffset: Int?
    ) {
        self.time = time
        guard capturedMicroseconds > 0, let clockOffset, let clientTime = Int(exactly: capturedMicroseconds) else {
            self.age = nil
            return
        }
        let captured = clientTime.addingReportingOverflow(clockOffset)
        let age = Int(clamping: wallMicroseconds()).subtractingReportingOverflow(captured.partialValue)
        self.age = captured.overflow || age.overflow ? nil : .microseconds(age.partialValue)
    }

    /// Time from the frame's capture until `now`, if it is known.
    func age(at now: ContinuousClock.Instant) -> Duration? { self.age.map { $0 + (now - self.time) } }

    /// Time from the frame's capture until `now` in whole milliseconds, if it is known.
    func ageMilliseconds(at now: ContinuousClock.Instant) -> Int? { self.age(at: now).map { $0.microseconds / 1000 } }
}
