/// Frame rate as a fraction, such as 30000/1001 frames per second.
package struct FrameRate: Sendable, Equatable, CustomStringConvertible {
    /// Maximum of both numbers of the fraction: the filters of `ffmpeg` take a little more, and round what is beyond.
    private static let maxTerm = 1_000_000
    /// Maximum rate: no camera is faster.
    private static let maxRate = 1000.0

    /// Frames in ``seconds``.
    package let frames: Int
    /// Seconds of ``frames``.
    package let seconds: Int

    /// Parses `25`, `0.5` or `30000/1001`; `nil` if it is not a positive rate, or beyond the limits.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let frames = Int(parts[0]), let seconds = Int(parts[1]) {
            (self.frames, self.seconds) = (frames, seconds)
        } else if let rate = Double(text), rate >= 0.001, rate <= Self.maxRate {
            (self.frames, self.seconds) = (Int((rate * 1000).rounded()), 1000)
        } else {
            return nil
        }
        guard (1...Self.maxTerm).contains(self.frames), (1...Self.maxTerm).contains(self.seconds),
            self.perSecond <= Self.maxRate
        else { return nil }
    }

    /// The fraction.
    package var description: String { "\(self.frames)/\(self.seconds)" }

    /// Duration of one frame.
    package var frameDuration: Duration { .seconds(self.seconds) / self.frames }

    /// Frames in a second.
    var perSecond: Double { Double(self.frames) / Double(self.seconds) }
}
