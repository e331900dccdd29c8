#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// When the frames of a stream are due, counted from its start, whatever becomes of them.
package struct FrameSchedule: Sendable {
    /// How fast frames follow each other.
    package enum Pace: Sendable, Hashable {
        /// As they were recorded, `speed` times as fast.
        case recorded(speed: Double)
        /// So many a second.
        case rate(Double)
        /// So many a second on average, at moments that know nothing of each other; the same for the same seed.
        case poisson(rate: Double, seed: UInt64)
    }

    /// A gap between two frames that is longer is taken for a clock that was set.
    private static let longestGap: UInt64 = 60_000_000
    /// The gap where none is known, in microseconds: 30 frames a second.
    private static let usualGap: UInt64 = 33_333

    private let pace: Pace
    private var count: UInt64 = 0
    /// `nil` where the session begins.
    private var lastCaptured: UInt64?
    private var lastGap = Self.usualGap
    /// Recorded time from the first frame to the last one asked for, in microseconds.
    private var elapsed: UInt64 = 0
    /// When the last frame that was left to chance is due, in seconds.
    private var arrival = 0.0
    private var chance: SeededGenerator
    /// Frames with no gap to the one before on record, or with one that is implausible.
    package private(set) var guessedGaps = 0

    /// A schedule at its start, of the connection with this number; chance is another one on each.
    package init(_ pace: Pace, stream: Int = 0) {
        self.pace = pace
        let seed: UInt64 = if case .poisson(_, let seed) = pace { seed } else { 0 }
        self.chance = SeededGenerator(seed: seed, stream: stream)
    }

    /// When the next frame is due.
    ///
    /// - Parameter capturedMicroseconds: When it was taken; 0 if unknown. Where that is before the frame in front of it, or
    ///   more than a minute after, the gap before that one is taken again.
    /// - Returns: The time since the first frame was due.
    package mutating func next(capturedMicroseconds: UInt64) -> Duration {
        defer { self.count += 1 }
        switch self.pace {
        case .rate(let rate):
            return .seconds(Double(self.count) / rate)
        case .poisson(let rate, _):
            if self.count > 0 { self.arrival += -log(1 - self.chance.nextFraction()) / rate }
            return .seconds(self.arrival)
        case .recorded(let speed):
            if self.count > 0 {
                self.lastGap = self.gap(to: capturedMicroseconds)
                self.elapsed += self.lastGap
            }
            self.lastCaptured = capturedMicroseconds
            return .seconds(Double(self.elapsed) / 1e6 / speed)
        }
    }

    /// Has the session begin again: its first frame follows the last one by the gap that was before that.
    package mutating func startOver() {
        self.lastCaptured = nil
    }

    private mutating func gap(to captured: UInt64) -> UInt64 {
        guard let last = self.lastCaptured else { return self.lastGap }
        guard last > 0, captured >= last, captured - last <= Self.longestGap else {
            self.guessedGaps += 1
            return self.lastGap
        }
        return captured - last
    }
}
