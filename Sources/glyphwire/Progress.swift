internal import TextModel

/// Progress of several pictures, as a line of a terminal that is written over.
struct Progress {
    private let count: Int
    private let isShown: Bool
    private let start = ContinuousClock.now

    /// The progress of `count` pictures; shown if there are several, and standard error is a terminal.
    init(count: Int) {
        self.count = count
        self.isShown = count > 1 && StandardError.isTerminal
    }

    /// Shows that `done` pictures are read.
    func show(_ done: Int) {
        guard self.isShown, done < self.count else { return }
        StandardError.replaceLine(with: Self.text(done, of: self.count, after: .now - self.start))
    }

    /// Removes the line, so that something else can be printed.
    func clear() {
        if self.isShown { StandardError.replaceLine(with: "") }
    }

    /// The line after some time, such as `12 of 340 pictures, 3.4 a second, 1:36 left`.
    static func text(_ done: Int, of count: Int, after elapsed: Duration) -> String {
        let start = "\(done) of \(count) pictures"
        let seconds = elapsed / .seconds(1)
        guard done > 0, seconds > 0 else { return start }
        let rate = Double(done) / seconds
        let left = Int((Double(count - done) / rate).rounded())
        let clock = "\(left / 60):" + "\(left % 60)".zeroPadded(to: 2)
        return "\(start), \((rate * 10).rounded() / 10) a second, \(clock) left"
    }
}
