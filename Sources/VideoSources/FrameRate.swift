/// Frame rate as a fraction, such as 30000/1001 frames per second.
package struct FrameRate: Sendable, Equatable, CustomStringConvertible {
    /// Frames in ``seconds``.
    package let frames: Int
    /// Seconds of ``frames``.
    package let seconds: Int

    /// Parses `25`, `0.5` or `30000/1001`; `nil` if it is not a positive rate.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let frames = Int(parts[0]), let seconds = Int(parts[1]), frames > 0, seconds > 0 {
            (self.frames, self.seconds) = (frames, seconds)
        } else if let rate = Double(text), rate >= 0.001, rate <= 1000 {
            (self.frames, self.seconds) = (Int((rate * 1000).rounded()), 1000)
        } else {
            return nil
        }
    }

    /// The fraction.
    package var description: String { "\(self.frames)/\(self.seconds)" }

    /// Duration of one frame.
    package var frameDuration: Duration { .seconds(self.seconds) / self.frames }

    /// Microseconds from the first frame to a later one.
    func position(ofFrame number: Int) -> UInt64 {
        UInt64(number * self.seconds) * 1_000_000 / UInt64(self.frames)
    }
}
