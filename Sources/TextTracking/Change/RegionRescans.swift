internal import TextModel

/// Places that are scanned again: where text was lost and nothing was found instead, and around new text.
///
/// A scan of a blurred frame misses text, and one of a frame in which text fades in shows pieces of it. The pictures after it may
/// change too little to be scanned, so these places are scanned again soon, with intervals that double.
struct RegionRescans {
    private enum Tuning {
        /// Longest interval between two scans of a place in frames; chosen by eye.
        static let maxInterval = 8
        /// Frames after the last scan in which a place is not added again; chosen by eye.
        static let quietInterval = 60
        /// Number of places at most, beyond which no other is added; chosen by eye.
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
    }

    private var entries: [Entry] = []

    /// Places to scan in the latest frame.
    var due: [Quad] {
        self.entries.filter { $0.interval <= Tuning.maxInterval && $0.elapsed >= $0.interval }.map(\.place)
    }

    /// Begins another frame.
    mutating func nextFrame() {
        for index in self.entries.indices { self.entries[index].elapsed += 1 }
        self.entries.removeAll { $0.elapsed >= Tuning.quietInterval }
    }

    /// Moves the places with the camera.
    mutating func move(by step: Affine) {
        for index in self.entries.indices { self.entries[index].place = step(self.entries[index].place) }
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
            guard isScanned, entry.interval <= Tuning.maxInterval else { return entry }
            if entry.isLost, text.contains(where: entry.place.mostlyOverlaps) { return nil }
            return Entry(place: entry.place, isLost: entry.isLost, interval: 2 * entry.interval)
        }
        for track in missing { self.add(track.place, isLost: true) }
        let places = lost.map(\.place)
        for track in tracks where track.state == .new && !track.isTentative && !track.wasHitByFullScan {
            guard !places.contains(where: track.place.mostlyOverlaps) else { continue }
            self.add(track.place.surroundings, isLost: false)
        }
    }

    private mutating func add(_ place: Quad, isLost: Bool) {
        guard self.entries.count < Tuning.capacity,
            !self.entries.contains(where: { $0.isLost == isLost && $0.place.mostlyOverlaps(place) })
        else { return }
        self.entries.append(Entry(place: place, isLost: isLost))
    }
}
