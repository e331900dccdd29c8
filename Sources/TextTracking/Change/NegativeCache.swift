internal import TextModel

/// Negative cache of detections: places where lines are detected in which nothing can be read.
///
/// What moves before things that look like letters has the detector find lines in each frame. After a failed reading the next
/// scan skips the place, after another one the next two, and so on, with exponential back-off up to a limit: what is illegible
/// may become legible.
struct NegativeCache {
    private enum Tuning {
        /// Scans that skip a place at most.
        ///
        /// On a street, 4 and 16 took 0.264 and 0.245 of the time of single frames, and 8 took 0.207 to 0.272 (streams log, *Back-off
        /// for illegible places*).
        static let maxBackOff = 8
        /// Least intersection of two boxes of one place, as a share of the smaller.
        ///
        /// As a share of the larger it saved a tenth of the time instead of a third (streams log, *Back-off for illegible places*).
        static let minOverlap: Float = 0.5
        /// Largest area of a detection in a place, as a ratio to that of the place.
        ///
        /// Edges of what moves have all lengths, but a far longer line is another one, such as a subtitle over something illegible
        /// (streams log, *Back-off for illegible places*).
        static let maxAreaRatio: Float = 3
    }

    private struct Entry {
        var place: Quad
        /// Scans that skip the place after its last reading.
        var backOff: Int
        /// Scans of these that are left.
        var remaining: Int

        /// Whether a detection in `place` is the one of this entry.
        func matches(_ place: Quad) -> Bool {
            place.area <= Tuning.maxAreaRatio * self.place.area
                && self.place.intersectionArea(with: place) > Tuning.minOverlap * min(self.place.area, place.area)
        }

        /// Entry after another scan that skipped the place.
        var skipped: Entry {
            Entry(place: self.place, backOff: self.backOff, remaining: max(0, self.remaining - 1))
        }
    }

    private var entries: [Entry] = []

    /// Whether a detection in `place` is to be read.
    func isDue(_ place: Quad) -> Bool { (self.entry(for: place)?.remaining ?? 0) == 0 }

    /// Records a scan.
    ///
    /// - Parameters:
    ///   - detections: The places of all lines that it detected.
    ///   - illegible: Those among them that were due, and in which nothing could be read.
    ///   - skipped: Regions that were not scanned; an entry there counts as skipped too.
    mutating func record(_ detections: [Quad], illegible: [Quad], skipped: [Box] = []) {
        let failed = illegible.map { place in
            let backOff = min(Tuning.maxBackOff, max(1, 2 * (self.entry(for: place)?.backOff ?? 0)))
            return Entry(place: place, backOff: backOff, remaining: backOff)
        }
        let detected = detections.compactMap { place -> Entry? in
            guard let entry = self.entry(for: place), entry.remaining > 0 else { return nil }
            return Entry(place: place, backOff: entry.backOff, remaining: entry.remaining).skipped
        }
        let unscanned = self.entries.filter { entry in
            skipped.contains { $0.touches(Box(around: entry.place, margin: 0)) }
                && !detections.contains(where: entry.matches)
        }
        self.entries = failed + detected + unscanned.map(\.skipped)
    }

    private func entry(for place: Quad) -> Entry? { self.entries.first { $0.matches(place) } }
}
