internal import TextModel
internal import TextRecognition

/// Recovery of lost tracks by reading them in their places.
extension TrackedText {
    private enum Tuning {
        /// Least share of a word in other lines with which it is read there; chosen by eye.
        static let minCoveredShare: Float = 0.5
    }

    /// Reads lost tracks on changing ground in their places, where a scan would detect them again.
    mutating func recover(
        in frame: borrowing GrayPlane,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        guard context.options.recognize else { return }
        let (tracks, region) = (self.tracks, context.sentRegion)
        let due = tracks.indices.filter { index in
            let track = tracks[index]
            return track.status == .lost && track.hasChangingGround && region.contains(track.wholePlace.centre)
        }
        let lines = due.map { tracks[$0].detectedLine(in: context.frame) }
        for (index, text) in zip(due, try context.read(lines, &self.votes)) {
            self.tracks[index].recover(text, in: frame)
        }
    }

    /// Reads lost lines in their places, where a scan of regions has missed some of their words.
    ///
    /// A detector that sees a small region misses what it detects in the whole frame. Only a sure reading of the missed words
    /// brings a line back, and replaces what was detected of it.
    mutating func restore(
        _ lost: [Track],
        in frame: borrowing GrayPlane,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        guard context.options.recognize else { return }
        let due = lost.filter { $0.vote.isSure && $0.isText(in: context.sentRegion) }
            .map { (track: $0, words: self.missedWords(of: $0, in: context.sentRegion)) }
            .filter { !$0.words.isEmpty }
        let lines = due.map { $0.track.detectedLine(in: context.frame) }
        for (line, text) in zip(due, try context.read(lines, &self.votes)) {
            guard let text, text.isSure, text.contains(line.words) else { continue }
            let place = line.track.place
            let overlapping = self.tracks.indices.filter { self.tracks[$0].place.intersectionArea(with: text.box) > 0 }
            let replaced = overlapping.filter { self.tracks[$0].isCovered(by: place) }
            // Beside a line that is not a part of it, it would be that line a second time, which has moved.
            guard replaced == overlapping,
                replaced.allSatisfy({ self.tracks[$0].best.text.count < text.text.count })
            else { continue }
            let (score, splitLineID) = (line.track.score, line.track.splitLineID)
            var whole = [Track(text, region: place, score: score, splitLineID: splitLineID, in: frame)]
            Self.inheritIDs(in: &whole[...], covered: replaced.map { self.tracks[$0] }, lost: [line.track])
            self.tracks = self.tracks.removing(Set(replaced)) + whole
        }
    }

    /// Earlier tracks in whose places no line is known any more, and whose words are in no other line.
    func missing(of earlier: [Track], in region: Box) -> [Track] {
        let known = Set(self.tracks.flatMap(\.wordIDs))
        return earlier.filter { track in
            track.isText(in: region) && known.isDisjoint(with: track.wordIDs)
                && !self.tracks.contains { track.isCovered(by: $0.place) }
        }
    }

    /// Reported words of a lost track that lie in no line, without those that the edges of a region cut off.
    private func missedWords(of lost: Track, in region: Box) -> [TextWord] {
        lost.reported.flatMap(\.words).filter { word in
            region.contains(Box(around: word.box, margin: 0))
                && !self.tracks.contains {
                    $0.box.intersectionArea(with: word.box) > Tuning.minCoveredShare * word.box.area
                }
        }
    }
}

extension Track {
    /// Whether the track is reported, and in a region of the frame.
    fileprivate func isText(in region: Box) -> Bool { !self.isTentative && region.contains(self.wholePlace.centre) }
}

extension TextLine {
    /// Whether the line has all of some words in their places.
    func contains(_ words: [TextWord]) -> Bool {
        words.allSatisfy { word in
            self.words.contains {
                $0.text == word.text && $0.box.isInPlace(of: word.box)
            }
        }
    }
}
