internal import TextModel

/// Negative cache of detections: places where lines are detected in which nothing can be read.
///
/// What moves before things that look like letters has the detector find lines in each frame. After a failed reading the next
/// scan skips the place, after another one the next two, and so on, with exponential back-off up to a limit. With
/// ``nextFrame(at:refresh:)`` it lasts no longer than the refresh time either: what is illegible may become legible. A place
/// outside the regions of a scan is dormant until it is read again: only full scans skip and count it.
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
        /// Largest number of places, of which those that the latest scan did not detect are dropped first; chosen by eye.
        static let maxCount = 256
    }

    private struct Entry {
        var place: Quad
        /// Scans that skip the place after its last reading.
        var backOff: Int
        /// Scans of these that are left.
        var remaining: Int
        /// Time of its last reading.
        let readAt: Duration
        /// Whether the place lay outside the regions of a scan since then.
        var isDormant = false

        /// Whether a detection in `place` is the one of this entry.
        func matches(_ place: Quad) -> Bool {
            place.area <= Tuning.maxAreaRatio * self.place.area
                && self.place.intersectionArea(with: place) > Tuning.minOverlap * min(self.place.area, place.area)
        }

        /// Entry after another scan that skipped the place.
        var skipped: Entry {
            var entry = self
            entry.remaining = max(0, self.remaining - 1)
            return entry
        }

        /// Entry after a scan that did not detect the place; `nil` where it showed nothing there.
        func undetected(in regions: [Box]?, skipped: [Box]) -> Entry? {
            let bounds = Box(around: self.place, margin: 0)
            if !self.isDormant, skipped.contains(where: bounds.touches) { return self.skipped }
            guard let regions, !regions.contains(where: { $0.contains(bounds) }) else { return nil }
            var entry = self
            entry.isDormant = true
            return entry
        }
    }

    private var entries: [Entry] = []
    /// Time of the latest frame.
    private var time = Duration.zero

    /// Begins another frame, in which the places are due that were last read `refresh` ago.
    mutating func nextFrame(at time: Duration, refresh: Duration) {
        self.time = time
        for index in self.entries.indices where time - self.entries[index].readAt >= refresh {
            self.entries[index].remaining = 0
        }
    }

    /// Moves all places with the camera.
    mutating func move(by motion: Affine) {
        for index in self.entries.indices { self.entries[index].place = motion(self.entries[index].place) }
    }

    /// Forgets all places.
    mutating func removeAll() { self.entries = [] }

    /// Forgets the dormant places.
    mutating func removeDormant() { self.entries.removeAll(where: \.isDormant) }

    /// Whether a detection in `place`, by a full scan or one of regions, is to be read.
    func isDue(_ place: Quad, isFullScan: Bool = true) -> Bool {
        (self.entry(for: place, isFullScan: isFullScan)?.remaining ?? 0) == 0
    }

    /// Records a scan.
    ///
    /// - Parameters:
    ///   - detections: The places of all lines that it detected.
    ///   - illegible: Those among them that were due, and in which nothing could be read.
    ///   - regions: Where the frame was scanned; `nil` for all of it.
    ///   - skipped: Regions that changed and were not scanned; an entry there counts as skipped too.
    mutating func record(
        _ detections: [Quad],
        illegible: [Quad],
        in regions: [Box]? = nil,
        skipped: [Box] = []
    ) {
        let isFullScan = regions == nil
        let failed = illegible.map { place in
            let earlier = self.entry(for: place, isFullScan: isFullScan)?.backOff ?? 0
            let backOff = min(Tuning.maxBackOff, max(1, 2 * earlier))
            return Entry(place: place, backOff: backOff, remaining: backOff, readAt: self.time)
        }
        let detected = detections.compactMap { place -> Entry? in
            guard var entry = self.entry(for: place, isFullScan: isFullScan), entry.remaining > 0 else { return nil }
            entry.place = place
            return entry.skipped
        }
        let others = self.entries.filter { !detections.contains(where: $0.matches) }
        let undetected = others.compactMap { $0.undetected(in: regions, skipped: skipped) }
        self.entries = Array((failed + detected + undetected).prefix(Tuning.maxCount))
    }

    /// Entry for a detection in `place`; to a scan of regions, dormant ones are unknown.
    private func entry(for place: Quad, isFullScan: Bool) -> Entry? {
        self.entries.first { (isFullScan || !$0.isDormant) && $0.matches(place) }
    }
}
