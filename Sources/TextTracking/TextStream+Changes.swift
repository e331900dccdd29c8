internal import TextModel
internal import TextRecognition

/// Lines whose places have changed before a still camera.
extension TextStream {
    /// Finds lines on changing ground again before a still camera; where one is, nothing else has changed.
    func recoverChangedLines(_ context: inout FrameContext) throws(RecognitionError) {
        let due = self.text.tracks.indices.filter { index in
            self.text.tracks[index].hasChangingGround && !self.isUnchanged(self.text.tracks[index])
        }
        for index in due {
            // A line of credits has moved on, and is read where it is now.
            self.match(index, after: .identity)
            self.text.tracks[index].status = .lost
        }
        try self.text.recover(in: self.current.full, &context)
        for index in due where self.text.tracks[index].status != .lost {
            self.changes.clear(in: self.text.tracks[index].box.withEndMargins)
        }
    }

    /// Splits lines of which some words changed, unless other readings are asked for, which are those of a whole line.
    func splitChangedLines(_ options: ReadingOptions) {
        guard !options.wantsCandidates else { return self.loseChangedLines() }
        self.text.tracks = self.text.tracks.enumerated().flatMap { index, track in
            self.isUnchanged(track)
                ? [track]
                : track.fragments(in: self.current.full, splitLineID: index, isChanged: self.changes.hasChanged)
        }
    }

    /// Loses the tracks of lines at changed places before a still camera.
    private func loseChangedLines() {
        for index in self.text.tracks.indices where !self.isUnchanged(self.text.tracks[index]) {
            self.text.tracks[index].status = .lost
            self.text.tracks[index].hasChangedInPlace = true
        }
    }

    /// Whether no cell of a line has changed before a still camera.
    private func isUnchanged(_ track: Track) -> Bool { !self.changes.hasChanged(in: track.box.withEndMargins) }
}
