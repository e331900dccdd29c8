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
        let track = self.text.tracks[index]
        let (stayed, moved) = (track.motion, track.motion.then(step))
        let predictions = step == .identity ? [stayed] : track.isOverlay ? [stayed, moved] : [moved, stayed]
        for prediction in predictions where self.isMatched(index, near: prediction) {
            guard step != .identity else { return }
            let place = self.text.tracks[index].motion(track.region.centre)
            let (fromStayed, fromMoved) = (stayed(track.region.centre), moved(track.region.centre))
            self.text.tracks[index].isOverlay = place.distance(to: fromStayed) < place.distance(to: fromMoved)
            return
        }
        self.text.tracks[index].motion = track.isOverlay ? stayed : moved
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
}
