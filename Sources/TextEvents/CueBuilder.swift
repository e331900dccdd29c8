package import GlyphwireProtocol
package import TextModel

/// Builder of cues from the events of a video: each text once, from the frame it appears in to the frame it is gone in.
///
/// A text that reads a little differently from one frame to another is one cue, with the reading that lasted longest.
package struct CueBuilder: Sendable {
    /// Gap that a cue bridges: a text that is missed for a few frames was there all the time.
    private static let maxGapMicroseconds: UInt64 = 500_000

    private struct OpenCue {
        var cue: Cue
        /// Readings with the microseconds that each lasted.
        var readings: [String: UInt64] = [:]
        var reading: String
        var since: UInt64

        init(_ text: ObservedText, at time: UInt64, in coordinates: CoordinateSpace) {
            self.cue = Cue(start: time, end: time, text: text.text, box: text.box, coordinates: coordinates)
            (self.reading, self.since) = (text.text, time)
        }

        /// Counts the reading up to `time`, and continues with another one.
        mutating func change(to text: String, at time: UInt64) {
            self.readings[self.reading, default: 0] += time - min(self.since, time)
            (self.reading, self.since) = (text, time)
        }

        /// The cue, which ends at `time`.
        func closed(at time: UInt64) -> Cue {
            var counted = self
            counted.change(to: self.reading, at: time)
            var cue = self.cue
            cue.end = time
            // Of readings that lasted equally long, the longer text has what the other one misses.
            cue.text =
                counted.readings.max { ($0.value, $0.key.count, $0.key) < ($1.value, $1.key.count, $1.key) }?.key
                ?? self.reading
            return cue
        }
    }

    private let coordinates: CoordinateSpace
    private var open: [UInt64: OpenCue] = [:]
    /// Cues whose text is gone, by its id, which may come back soon.
    private var gone: [UInt64: (cue: OpenCue, end: UInt64)] = [:]
    private var cues: [Cue] = []

    /// Creates a builder without cues.
    ///
    /// - Parameter coordinates: The coordinate space of the texts' boxes; by default pixels of the frame as sent.
    package init(coordinates: CoordinateSpace = .sent) { self.coordinates = coordinates }

    /// Takes the changes that a frame shows.
    package mutating func add(_ changes: [TextChange], at time: UInt64) {
        for change in changes {
            switch change {
            case .appeared(let text):
                if let (cue, end) = self.gone[text.id], time - end <= Self.maxGapMicroseconds,
                    Self.isSame(cue.reading, text.text)
                {
                    self.gone[text.id] = nil
                    var cue = cue
                    cue.change(to: text.text, at: time)
                    self.open[text.id] = cue
                } else {
                    self.open[text.id] = OpenCue(text, at: time, in: self.coordinates)
                }
            case .changed(let text, let previous):
                if Self.isSame(previous, text.text) {
                    self.open[text.id]?.change(to: text.text, at: time)
                } else {
                    if let cue = self.open[text.id] { self.cues.append(cue.closed(at: time)) }
                    self.open[text.id] = OpenCue(text, at: time, in: self.coordinates)
                }
            case .lost(let text):
                guard let cue = self.open.removeValue(forKey: text.id) else { continue }
                if let (earlier, end) = self.gone[text.id] { self.cues.append(earlier.closed(at: end)) }
                self.gone[text.id] = (cue, time)
            }
        }
    }

    /// Ends all cues.
    ///
    /// - Parameters:
    ///   - time: The end of the video.
    ///   - minimum: The duration in microseconds below which a text is left out.
    /// - Returns: The cues by their start, and those of one time in reading order.
    package consuming func finish(at time: UInt64, minimum: UInt64 = 0) -> [Cue] {
        var cues = self.cues + self.open.values.map { $0.closed(at: time) }
        cues += self.gone.values.map { $0.cue.closed(at: $0.end) }
        let downwards = self.coordinates.downwards
        return cues.filter { $0.end > $0.start && $0.end - $0.start >= minimum }.sorted {
            let (first, second) = ($0.box.centre, $1.box.centre)
            return ($0.start, downwards * first.y, first.x, $0.text)
                < ($1.start, downwards * second.y, second.x, $1.text)
        }
    }

    /// Whether two readings are of one text: at most a third of their characters differ, or one continues the other.
    ///
    /// With other digits it is another text, as for the ids of words (Protocol.md, rule C3).
    static func isSame(_ first: String, _ second: String) -> Bool {
        guard first.filter(\.isNumber) == second.filter(\.isNumber) else { return false }
        if first.hasPrefix(second) || second.hasPrefix(first) { return true }
        let (first, second) = (Array(first), Array(second))
        let limit = max(first.count, second.count) / 3
        return first.editDistance(to: second, limit: limit) <= limit
    }
}
