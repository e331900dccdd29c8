internal import TextModel

/// Where lines were found in which nothing could be read, so that not every frame has them read anew.
///
/// What moves before things that look like letters has the detector find lines in each frame. Where nothing could be read,
/// the next scan finds the line and passes over it; where nothing could be read after that either, the next two do, and so on
/// up to ``longestRest``: what was illegible may have become legible.
struct NegativeCache {
    private struct Entry {
        var place: Quad
        /// Scans that pass over it after it was last read, and those of them that are left.
        var rest: Int
        var left: Int

        /// Whether a line in `place` is this one.
        func isPlace(of place: Quad) -> Bool {
            place.area <= NegativeCache.mostGrowth * self.place.area
                && self.place.intersectionArea(with: place)
                    > NegativeCache.leastShared * min(self.place.area, place.area)
        }

        /// The place after another scan that passed over it.
        var passed: Entry { Entry(place: self.place, rest: self.rest, left: max(0, self.left - 1)) }
    }

    private var entries: [Entry] = []

    /// Scans that pass over a place at most.
    private static let longestRest = 8
    /// What two places share at least that are one, as a fraction of the smaller.
    private static let leastShared: Float = 0.5
    /// How many times as large a line is at most that is found in a place: what moves has edges of all lengths, but a line
    /// that is longer by far is another.
    private static let mostGrowth: Float = 3

    /// Whether a line that was found in `place` is to be read.
    func isDue(_ place: Quad) -> Bool { (self.entry(of: place)?.left ?? 0) == 0 }

    /// Counts a scan.
    ///
    /// - Parameters:
    ///   - places: Those of all lines that it found.
    ///   - illegible: Those among them that were due, and in which nothing could be read.
    ///   - resting: Where it did not look; a place there was passed over too.
    mutating func scanned(at places: [Quad], illegible: [Quad], butNotIn resting: [Box] = []) {
        let again = illegible.map { place in
            let rest = min(Self.longestRest, max(1, 2 * (self.entry(of: place)?.rest ?? 0)))
            return Entry(place: place, rest: rest, left: rest)
        }
        let passed = places.compactMap { place -> Entry? in
            guard let entry = self.entry(of: place), entry.left > 0 else { return nil }
            return Entry(place: place, rest: entry.rest, left: entry.left).passed
        }
        let resting = self.entries.filter { entry in
            resting.contains { $0.touches(Box(around: entry.place, margin: 0)) }
                && !places.contains { entry.isPlace(of: $0) }
        }
        self.entries = again + passed + resting.map(\.passed)
    }

    private func entry(of place: Quad) -> Entry? { self.entries.first { $0.isPlace(of: place) } }
}
