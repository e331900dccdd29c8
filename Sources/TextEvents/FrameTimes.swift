internal import TextModel

/// Times of the last frame of a source: for its events, and for what lasts.
///
/// A machine's clock may be set, also backwards. The events of a live source go by it all the same, and what lasts goes by one
/// that runs evenly.
package struct FrameTimes: Sendable {
    /// Start of ``elapsed`` of all live sources, since one with other options takes over the texts of the one before.
    private static let start = ContinuousClock.now

    private let isLive: Bool
    /// Time of its events in microseconds: since 1970, or from the start of a file.
    package private(set) var event: UInt64 = 0
    /// Time in microseconds that never runs backwards.
    package private(set) var elapsed: UInt64 = 0

    /// Creates the times of a source without frames.
    package init(isLive: Bool) { self.isLive = isLive }

    /// Goes on to the next frame.
    ///
    /// - Parameters:
    ///   - captured: The time at which it arrived, or its position in a file, in microseconds.
    ///   - now: The time now.
    package mutating func advance(to captured: UInt64, now: ContinuousClock.Instant = .now) {
        if self.isLive {
            self.event = captured
            self.elapsed = max(self.elapsed, UInt64(clamping: (now - Self.start).microseconds))
        } else {
            self.event = max(self.event, captured)
            self.elapsed = self.event
        }
    }
}
