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
        /// Number of lines that changed faintly and are read again in a frame at most; chosen by eye.
        static let maxFaintChanges = 16
        /// Largest displacement of a line before a still camera, in pixels.
        ///
        /// Where compressed video went on drawing a digit, lines were matched within 0.02 pixels of their places.
        static let maxStillDisplacement: Float = 0.05
        /// Frames in a row of which most changes, as in a film, after which lines are compared in the next calm frame only.
        ///
        /// Chosen by eye.
        static let maxRestlessFrames = 4
        /// Least normalised cross-correlation of a template that matches; chosen by eye.
        static let minCorrelation: Float = 0.6
    }

    /// Matches all tracks where they moved with the camera, or stayed, and sets their status.
    ///
    /// While frame after frame loses them, some are not matched: their tracks are lost, and the scan that follows reads them.
    func matchAll(after step: Affine) {
        let indices = self.text.tracks.indices
        if self.matchBackOff.skips(indices.count) {
            for index in indices { self.lose(index, after: step) }
            return
        }
        for index in indices { self.match(index, after: step) }
        self.matchBackOff.record(matched: indices.count { self.text.tracks[$0].status != .lost }, of: indices.count)
    }

    /// Hides the lost tracks of which the frame at `time` shows too little to verify them, and no word.
    func hideTracks(at time: Duration) {
        let frame = Box(left: 0, top: 0, right: self.current.full.width, bottom: self.current.full.height)
        func isHidden(_ track: Track) -> Bool {
            track.status == .lost && !track.isOverlay && track.visibleColumns(after: track.motion) == nil
                && track.reported(inside: frame).isEmpty
        }
        let leaving = self.text.tracks.filter(isHidden)
        guard !leaving.isEmpty else { return }
        self.text.hidden.add(leaving.filter { !$0.isTentative }, at: time)
        self.text.tracks.removeAll(where: isHidden)
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
        self.lose(index, after: step)
    }

    /// Loses a track, which is expected where it moved with the camera, or stayed.
    private func lose(_ index: Int, after step: Affine) {
        if !self.text.tracks[index].isOverlay {
            self.text.tracks[index].motion = self.text.tracks[index].motion.then(step)
        }
        self.text.tracks[index].status = .lost
    }

    /// Matches a track before a still camera where it was, unless it shows other text, or may do so.
    ///
    /// A frame in which most has changed, or text that compressed video draws in several frames, changes a digit by less than its
    /// template tolerates.
    func matchInPlace(_ index: Int) {
        self.match(index, after: .identity)
        if self.text.tracks[index].status == .lost { self.text.tracks[index].hasChangedInPlace = true }
        let isFaintlyChanged = self.changes.hasFaintlyChanged(in: self.text.tracks[index].box.withEndMargins)
        if self.restlessFrames > Tuning.maxRestlessFrames {
            if isFaintlyChanged { self.text.tracks[index].faintChanges.isPending = true }
        } else if let due = self.text.tracks[index].faintChanges.comparison(
            isFaintlyChanged: isFaintlyChanged,
            isAbsorbed: true
        ) {
            self.text.tracks[index].wasCompared(due)
        }
    }

    /// Has lines read again that have changed by more than noise explains, though by less than other text would.
    ///
    /// - Returns: The places of these lines, which the keyframe does not show as they are.
    func verifyFaintChanges(_ options: ReadingOptions) -> [Quad] {
        // Without readings, nothing would put the next comparison off.
        guard options.recognize else { return [] }
        var places: [Quad] = []
        for index in self.text.tracks.indices where self.text.tracks[index].status == .matched {
            let track = self.text.tracks[index]
            guard track.state == .kept, places.count < Tuning.maxFaintChanges else { continue }
            let isFaintlyChanged = self.changes.hasFaintlyChanged(in: track.box.withEndMargins)
            let due = self.text.tracks[index].faintChanges.comparison(
                isFaintlyChanged: isFaintlyChanged,
                isAbsorbed: false
            )
            guard let due else { continue }
            self.compareInPlace(index, for: due)
            if self.text.tracks[index].status == .uncertain { places.append(track.box.withEndMargins) }
        }
        return places
    }

    /// Compares a track before a still camera with its template, which has not moved.
    private func compareInPlace(_ index: Int, for comparison: FaintChanges.Comparison) {
        let earlier = self.text.tracks[index]
        guard self.isMatched(index, near: earlier.motion) else {
            if comparison == .text { self.text.tracks[index].status = .uncertain }
            return
        }
        let centre = earlier.region.centre
        let displacement = self.text.tracks[index].motion(centre).distance(to: earlier.motion(centre))
        if displacement < Tuning.maxStillDisplacement { self.text.tracks[index].wasCompared(comparison) }
        self.text.tracks[index].stayed(as: earlier)
    }

    /// Whether a track is matched near its predicted place, whose motion and status it then has.
    private func isMatched(_ index: Int, near prediction: Affine) -> Bool {
        self.current.reduce()
        guard let template = self.text.tracks[index].template(visibleAfter: prediction),
            let match = self.matcher.match(template, in: self.current, prediction: prediction),
            match.difference < Tuning.maxDifference, match.correlation > Tuning.minCorrelation
        else { return false }
        self.text.tracks[index].wasMatched(match, isSure: match.difference <= Tuning.sureDifference)
        return true
    }
}
