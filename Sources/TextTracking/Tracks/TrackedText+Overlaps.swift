internal import TextModel
internal import TextRecognition

/// Resolution of tracks that overlap on one line.
///
/// Text that fades in, or that regions of the frame cut, is detected in pieces, each of which extends over a part of the next.
/// Where no later detection shows all of it, they would stand beside each other.
extension TrackedText {
    private enum Tuning {
        /// Minimum share of the shorter line inside the longer one at which only one of them is kept; chosen by eye.
        static let minSharedArea: Float = 0.5
    }

    /// Reads lines that overlap as one, or keeps the one that its pixels favour.
    ///
    /// Only pairs with a line that was read in this frame count: the others were decided in earlier frames.
    mutating func resolveOverlaps(
        in frame: borrowing GrayPlane,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        guard context.options.recognize else { return }
        let pairs = self.overlaps
        guard !pairs.isEmpty else { return }
        let wholes = pairs.map { [self.tracks[$0.longer], self.tracks[$0.other]] }
        let places = wholes.map { $0.map(\.place).joined(along: $0[0].box) }
        let lines = zip(wholes, places).map { [frame = context.frame] in
            DetectedLine($1, score: min($0[0].score, $0[1].score), in: frame)
        }
        let texts = try context.read(lines, &self.votes)
        var ended: Set<Int> = []
        for (index, text) in texts.enumerated() {
            let (pair, tracks) = (pairs[index], wholes[index])
            if let text, text.isSure, text.text.count >= tracks[0].best.text.count {
                var whole = [Track(text, region: places[index], score: lines[index].score, in: frame)]
                Self.inheritIDs(in: &whole[...], covered: tracks, lost: [])
                self.tracks[pair.longer] = whole[0]
                ended.insert(pair.other)
            } else if tracks[0].contains(tracks[1], share: Tuning.minSharedArea) {
                ended.insert(tracks[1].outweighs(tracks[0]) ? pair.longer : pair.other)
            }
        }
        self.tracks = self.tracks.removing(ended)
    }

    /// Pairs of tracks that overlap on one line, the longer first; no track is in two of them.
    private var overlaps: [(longer: Int, other: Int)] {
        var free = self.tracks.indices.filter { index in
            let track = self.tracks[index]
            return track.status != .lost && !track.isTentative
        }
        var pairs: [(longer: Int, other: Int)] = []
        // Most lines of a page lie apart, which bounding boxes show.
        let bounds = self.tracks.map { Box(around: $0.box, margin: 0) }
        for index in free where self.tracks[index].state != .kept && free.contains(index) {
            let track = self.tracks[index]
            let other = free.first {
                $0 != index && bounds[index].touches(bounds[$0]) && track.overlaps(self.tracks[$0])
            }
            guard let other else { continue }
            let isLonger = track.box.length >= self.tracks[other].box.length
            pairs.append(isLonger ? (longer: index, other: other) : (longer: other, other: index))
            free.removeAll { $0 == index || $0 == other }
        }
        return pairs
    }
}
