internal import TextModel

/// What is left to scan of a frame, should it stay as it is.
extension TextStream {
    /// How much of the latest frame was scanned.
    enum Coverage {
        /// All of it, and nothing that was detected waits for a reading.
        case full
        /// Regions of it, or all of it coarsely: a full scan is due after the refresh time.
        case partial
        /// Not all that has changed: the rest is scanned with the next frames.
        case pending
    }

    /// Whether even a frame that repeats the latest one is to be scanned; see ``StreamTracker``.
    func awaitsScan(at time: Duration, refresh: Duration) -> Bool {
        guard let scannedAt = self.scannedAt else { return false }
        return self.coverage == .pending || self.awaitsComparison || self.awaitsFullScan && time - scannedAt >= refresh
    }

    /// Whether even an identical frame needs the next full scan.
    var awaitsFullScan: Bool { self.coverage != .full || self.awaitsConfirmation || self.awaitsComparison }

    /// Whether a line that has changed faintly is still to be compared with its template.
    private var awaitsComparison: Bool { self.text.tracks.contains(where: \.faintChanges.isPending) }

    /// Whether a track waits for a full scan that detects its line too.
    var awaitsConfirmation: Bool { self.text.tracks.contains(where: \.isTentative) }

    /// Keeps the keyframe as it is in regions that were not scanned, and in places that wait, so that they stay changed.
    ///
    /// A place with text that was read in this frame does not wait.
    func leaveOutPendingPlaces() {
        let read = self.text.tracks.filter { $0.state != .kept }.map(\.place)
        let waiting = self.text.waiting.filter { place in
            self.changes.hasChanged(in: place) && !read.contains { $0.intersectionArea(with: place) > 0 }
        }
        let pending = self.backOff.skipped.map { Quad($0) } + waiting
        for place in pending { self.changes.clear(in: place) }
        if !pending.isEmpty { self.coverage = .pending }
    }
}
