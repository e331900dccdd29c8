internal import TextModel
internal import TextRecognition

/// Tracks of lines that have left the frame before a moving camera; they keep their text and ids if they come back.
///
/// A camera in a hand turns back to what it has shown: lines at the edges leave and come back several times in a second (streams
/// log, *Lines that leave the frame*).
struct HiddenTracks {
    private enum Tuning {
        /// Largest number of tracks, of which the oldest are dropped; chosen by eye.
        static let capacity = 64
    }

    private struct Entry {
        var track: Track
        let hiddenAt: Duration
    }

    private var entries: [Entry] = []

    /// Places of the lines, without what the frame's edges cut off of those of which a part is visible.
    var places: [Quad] { self.entries.map(\.track.place) }

    /// Ids of all words.
    var wordIDs: [UInt64] { self.entries.flatMap(\.track.wordIDs) }

    /// Memory of the templates, in bytes.
    var byteCount: Int { self.entries.reduce(0) { $0 + $1.track.template.byteCount } }

    /// Begins another frame: drops the tracks that have been hidden for too long.
    mutating func nextFrame(at time: Duration) {
        self.entries.removeAll { time - $0.hiddenAt > ReidentificationBuffer.retention }
    }

    /// Moves all tracks with the camera, and removes those of which the frame shows enough to verify them.
    ///
    /// - Returns: The removed tracks, where they were before the motion.
    mutating func returning(after step: Affine) -> [Track] {
        var returning: [Track] = []
        var hidden: [Entry] = []
        for var entry in self.entries {
            let motion = entry.track.motion.then(step)
            if entry.track.visibleColumns(after: motion) != nil {
                entry.track.nextFrame()
                returning.append(entry.track)
            } else {
                entry.track.motion = motion
                hidden.append(entry)
            }
        }
        self.entries = hidden
        return returning
    }

    /// Keeps tracks that have left the frame at `time`.
    mutating func add(_ tracks: [Track], at time: Duration) {
        self.entries += tracks.map { Entry(track: $0, hiddenAt: time) }
        self.entries = self.entries.suffix(Tuning.capacity)
    }

    /// Discards all tracks, as the frame shows another scene, or moved in an unknown way.
    mutating func removeAll() { self.entries = [] }
}
