internal import SeededRandom

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Schedule of a stream's frames: their due times from its start, independent of results.
package struct FrameSchedule: Sendable {
    /// Pace of the frames.
    package enum Pace: Sendable, Hashable {
        /// The recorded pace, `speed` times as fast.
        case recorded(speed: Double)
        /// A constant number of frames per second.
        case rate(Double)
        /// A Poisson process with a mean rate, reproducible by its seed.
        case poisson(rate: Double, seed: UInt64)
    }

    /// Maximum gap between two frames; a longer one is attributed to a clock adjustment.
    private static let longestGap: UInt64 = 60_000_000
    /// Default gap in microseconds: 30 frames per second.
    private static let usualGap: UInt64 = 33_333

    private let pace: Pace
    private var count: UInt64 = 0
    /// Last capture time; `nil` at the start of the session.
    private var lastCaptured: UInt64?
    private var lastGap = Self.usualGap
    /// Recorded time from the first frame to the last one requested, in microseconds.
    private var elapsed: UInt64 = 0
    /// Due time of the last random arrival, in seconds.
    private var arrival = 0.0
    private var chance: SplitMix64
    /// Number of frames with a missing or implausible gap.
    package private(set) var guessedGaps = 0

    /// Creates a schedule at its start; random arrivals differ between connections.
    package init(_ pace: Pace, stream: Int = 0) {
        self.pace = pace
        let seed: UInt64 = if case .poisson(_, let seed) = pace { seed } else { 0 }
        self.chance = SplitMix64(seed: seed, stream: stream)
    }

    /// Returns the due time of the next frame.
    ///
    /// - Parameter capturedMicroseconds: The capture time; 0 if unknown. If it is before the previous frame's, or more
    ///   than a minute after it, the previous gap is used again.
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

    /// Starts another playback of the session after the last gap.
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
