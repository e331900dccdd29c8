internal import TextModel
internal import TextRecognition

/// Verification of tracks by their templates.
extension TextStream {
    private enum Tuning {
        /// Largest difference of a template that surely shows the same text, as a share of the line's contrast.
        ///
        /// Chosen by eye. Without a second reading beyond it, a digit that changed was late by three frames (streams log, *Words
        /// beside a change*).
        static let sureDifference: Float = 0.14
        /// Largest difference of a template that matches, as a share of the line's contrast; chosen by eye.
        static let maxDifference: Float = 0.2
        /// Least normalised cross-correlation of a template that matches; chosen by eye.
        static let minCorrelation: Float = 0.6
    }

    /// Matches a track where it moved with the camera, or stayed, and sets its status.
    func match(_ index: Int, after step: Affine) {
        let before = self.text.tracks[index].motion
        for prediction in step == .identity ? [before] : [before.then(step), before]
        where self.isMatched(index, near: prediction) { return }
        self.text.tracks[index].motion = before.then(step)
        self.text.tracks[index].status = .lost
    }

    /// Whether a track is matched near its predicted place, whose motion and status it then has.
    private func isMatched(_ index: Int, near prediction: Affine) -> Bool {
        self.current.reduce()
        let patch = self.text.tracks[index].patch
        guard let match = self.matcher.match(patch, in: self.current, prediction: prediction),
            match.difference < Tuning.maxDifference, match.correlation > Tuning.minCorrelation
        else { return false }
        self.text.tracks[index].wasMatched(match, isSure: match.difference <= Tuning.sureDifference)
        return true
    }

    /// Finds lost tracks again where lines of their size were detected, however far away: a page that scrolls by lines.
    ///
    /// In their places they have been looked for before.
    func recoverLostTracks(at detections: [Detection]) {
        var matched = self.text.tracks.filter { $0.status != .lost }.map(\.place)
        for index in self.text.tracks.indices {
            let track = self.text.tracks[index]
            guard track.status == .lost, track.splitLineID == nil else { continue }
            let others = detections.map(\.wholePlace).filter { track.isDisplaced(to: $0) }
            for place in others.sorted(by: { track.distance(to: $0) < track.distance(to: $1) })
            where !matched.contains(where: place.mostlyOverlaps) && self.isMatched(index, near: track.motion(to: place))
            {
                matched.append(self.text.tracks[index].place)
                break
            }
        }
    }
}
