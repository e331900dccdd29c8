internal import TextModel

/// Progress through a video file, as a line of a terminal that is written over.
struct VideoProgress: Sendable {
    /// Interval at which the line is written.
    static let interval = Duration.milliseconds(500)

    private let name: String
    private let duration: Duration?
    private let start = ContinuousClock.now

    /// The progress through a video; `nil` unless standard error is a terminal.
    init?(name: String, duration: Duration?) {
        guard StandardError.isTerminal else { return nil }
        (self.name, self.duration) = (name, duration)
    }

    /// Shows that the video is read up to `position`.
    func show(_ position: Duration) {
        StandardError.replaceLine(
            with: "\(self.name): " + Self.text(position, of: self.duration, after: .now - self.start)
        )
    }

    /// Removes the line, so that something else can be printed.
    func clear() { StandardError.replaceLine(with: "") }

    /// The line after some time, such as `1:23 of 45:00, 3.2 times as fast as it runs, 13:38 left`.
    static func text(_ position: Duration, of duration: Duration?, after elapsed: Duration) -> String {
        let speed = position / max(elapsed, .milliseconds(1))
        let start = self.clock(position) + (duration.map { " of \(self.clock($0))" } ?? "")
        guard speed > 0 else { return start }
        let left = duration.map { ", \(self.clock(max($0 - position, .zero) / speed)) left" } ?? ""
        return "\(start), \((speed * 10).rounded() / 10) times as fast as it runs\(left)"
    }

    private static func clock(_ duration: Duration) -> String {
        let seconds = Int(duration.components.seconds)
        let (hours, minutes) = (seconds / 3600, "\(seconds / 60 % 60)")
        let end = ":" + "\(seconds % 60)".zeroPadded(to: 2)
        return hours > 0 ? "\(hours):\(minutes.zeroPadded(to: 2))\(end)" : minutes + end
    }
}
