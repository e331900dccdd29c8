internal import TextModel

/// Places that are scanned again: where text was lost and nothing was found instead, and around new text.
///
/// A scan of a blurred frame misses text, and one of a frame in which text fades in shows pieces of it. The pictures after it may
/// change too little there to be scanned, so these places are scanned again soon, with intervals that double. A frame in which
/// nothing has changed is not scanned for them.
struct RegionRescans {
    private enum Tuning {
        /// Longest interval between two scans of a place in frames; chosen by eye.
        static let maxInterval = 8
        /// Frames after the last scan in which a place is not added again, and after which it is discarded; chosen by eye.
        static let quietInterval = 60
        /// Number of places that wait for a scan at most, beyond which no other is added; chosen by eye.
        static let capacity = 64
    }

    /// Place that is scanned again.
    private struct Entry {
        var place: Quad
        /// Whether text was lost there, which may be found again.
        let isLost: Bool
        /// Frames since the last scan.
        var elapsed = 0
        /// Frames from the last scan to the next.
        var interval = 1

        /// Whether it is scanned again; otherwise it keeps its place from being added.
        var isWaiting: Bool { self.interval <= Tuning.maxInterval }
    }

    private var entries: [Entry] = []

    /// Places to scan in the latest frame.
    var due: [Quad] {
        self.entries.filter { $0.isWaiting && $0.elapsed >= $0.interval }.map(\.place)
    }

    /// Begins another frame.
    mutating func nextFrame() {
        for index in self.entries.indices { self.entries[index].elapsed += 1 }
        self.entries.removeAll { $0.elapsed >= Tuning.quietInterval }
    }

    /// Moves the places with the camera, and discards those whose middle leaves the scanned region.
    mutating func move(by step: Affine, in region: Box) {
        for index in self.entries.indices { self.entries[index].place = step(self.entries[index].place) }
        self.entries.removeAll { !region.contains($0.place.centre) }
    }

    /// Discards all places.
    mutating func removeAll() { self.entries = [] }

    /// Records a scan of the latest frame.
    ///
    /// - Parameters:
    ///   - regions: Where it was scanned; `nil` for all of it.
    ///   - lost: The tracks that it lost.
    ///   - missing: The tracks before it in whose places it found nothing, lost ones or those that it missed.
    ///   - tracks: The tracks that it shows.
    mutating func recordScan(in regions: [Box]?, lost: [Track], missing: [Track], tracks: [Track]) {
        let text = tracks.map(\.place)
        self.entries = self.entries.compactMap { entry in
            let isScanned = regions?.contains { $0.contains(entry.place.centre) } ?? true
            guard isScanned, entry.isWaiting else { return entry }
            if entry.isLost, text.contains(where: entry.place.mostlyOverlaps) { return nil }
            return Entry(place: entry.place, isLost: entry.isLost, interval: 2 * entry.interval)
        }
        var free = Tuning.capacity - self.entries.count(where: \.isWaiting)
        let places = lost.map(\.place)
        let new = tracks.lazy.filter { track in
            track.state == .new && !track.isTentative && !track.wasHitByFullScan
                && !places.contains(where: track.place.mostlyOverlaps)
        }
        for track in missing where free > 0 && self.add(track.place, isLost: true) { free -= 1 }
        for track in new where free > 0 && self.add(track.place.surroundings, isLost: false) { free -= 1 }
    }

    /// Adds a place; `false` if it is known already.
    private mutating func add(_ place: Quad, isLost: Bool) -> Bool {
        guard !self.entries.contains(where: { $0.isLost == isLost && $0.place.mostlyOverlaps(place) }) else {
            return false
        }
        self.entries.append(Entry(place: place, isLost: isLost))
        return true
    }
}
