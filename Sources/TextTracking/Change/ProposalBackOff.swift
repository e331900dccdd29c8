internal import TextModel

/// Back-off of proposals in which close scans found no text.
///
/// Foliage, faces and folds look like text to a coarse scan, frame after frame. After a close scan in vain the next one of
/// such a place is left out, then the next two, and so on, up to a limit. The refresh time is none: the full scans that it
/// causes scan these places as well.
struct ProposalBackOff {
    private enum Tuning {
        /// Increase of the score with which a place is scanned again at once; chosen by eye.
        ///
        /// What fades in or comes closer scores more from frame to frame.
        static let minIncrease: Float = 0.1
    }

    private var cache = NegativeCache()
    /// Places without text and their scores when they were scanned.
    private var scores: [Proposal] = []

    /// Moves all places with the camera.
    mutating func move(by motion: Affine) {
        self.cache.move(by: motion)
        self.scores = self.scores.map { Proposal(place: motion($0.place), score: $0.score) }
    }

    /// Proposals to scan closely.
    ///
    /// - Parameters:
    ///   - proposals: Those that no known line explains.
    ///   - lost: Places of text that was lost, which are always scanned.
    /// - Returns: Those that are due.
    func due(_ proposals: [Proposal], beside lost: [Quad]) -> [Proposal] {
        proposals.filter { proposal in
            self.cache.isDue(proposal.place) || self.score(at: proposal.place) + Tuning.minIncrease < proposal.score
                || lost.contains { $0.intersectionArea(with: proposal.place) > 0 }
        }
    }

    /// Records a frame.
    ///
    /// - Parameters:
    ///   - proposals: Those that no known line explained.
    ///   - scanned: Those of them that were scanned closely.
    ///   - text: Places of the text that is known now.
    mutating func record(_ proposals: [Proposal], scanned: [Proposal], text: [Quad]) {
        let failed = scanned.filter { proposal in !text.contains { $0.intersectionArea(with: proposal.place) > 0 } }
        self.cache.record(proposals.map(\.place), illegible: failed.map(\.place))
        let skipped = self.scores.filter { known in
            !failed.contains { $0.place.mostlyOverlaps(known.place) }
                && proposals.contains { $0.place.mostlyOverlaps(known.place) }
        }
        self.scores = failed + skipped
    }

    /// Score with which a place was scanned in vain; 0 where it was not.
    private func score(at place: Quad) -> Float {
        self.scores.first { $0.place.mostlyOverlaps(place) }?.score ?? 0
    }
}
