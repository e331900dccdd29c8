internal import TextModel

/// Lines that an edge of the frame truncates, and detections that the scanned regions of a frame truncate.
extension TextStream {
    private enum Tuning {
        /// Height of a piece, in heights of the known line that it overlaps, from which it shows more than that line.
        ///
        /// Chosen by hand (streams log, *Pieces of lines before a moving camera*).
        static let minPieceHeight: Float = 1.5
    }

    /// Bounding boxes of lines of which a disoccluded border may show more, each with what the border shows of its continuation.
    ///
    /// The border cuts through a slanted line, and a box that ends where the line did cuts off what it has grown by: pieces of
    /// the line were found in each (streams log, *Lines that come into view*).
    ///
    /// - Parameter strips: The strips of the border.
    /// - Returns: The boxes of all lines beside the border but overlays, whether or not the edge truncated them: of a letter that
    ///   it cut off, the detection shows nothing.
    func boundsOfGrowingLines(into strips: [Box]) -> [Box] {
        self.text.tracks.compactMap { track in
            let bounds = track.bounds
            let touched = strips.filter(Self.expanded(bounds).touches)
            guard !touched.isEmpty, !track.isOverlay else { return nil }
            let surroundings = Box(around: track.place.surroundings, margin: 0)
            let continuations = touched.map { $0.clipped(to: surroundings) }.filter { !$0.isEmpty }
            return continuations.reduce(bounds) { $0.union($1) }
        }
    }

    /// Places of detections that regions truncate, without those of matched lines.
    static func truncated(
        _ detections: [Detection],
        by regions: [Box],
        beside matched: [Quad],
        in frame: Box
    ) -> [Quad] {
        detections.map(\.wholePlace).filter { line in
            regions.allAround(line) { $0.truncates(line, in: frame) } && !line.isExplained(by: matched)
        }
    }

    /// Removes the edges of moving objects: detections that a region truncates on both sides where no text was known.
    ///
    /// They stay changed, so that text that appears strip by strip, however large, is scanned as a whole in the end.
    func removeMotionEdges(from detections: inout [Detection], beside lost: [Track], in region: Box) {
        let edges = detections.map(\.wholePlace).filter { line in
            Self.isTruncatedAcross(line, by: self.backOff.scanned, in: region)
                && !lost.contains { $0.place.intersectionArea(with: line) > 0 }
        }
        detections.removeAll { edges.contains($0.wholePlace) }
        for edge in edges { self.changes.clear(in: edge) }
    }

    /// Removes what a region shows of a known line and its surroundings as one line: detections that the region truncates on both
    /// sides, and that overlap a matched track which is much lower.
    func removePieces(from detections: inout [Detection], in regions: [Box], of region: Box) {
        let known = self.text.tracks.filter { $0.status != .lost }.map(\.place)
        detections.removeAll { detection in
            let line = detection.wholePlace
            return Self.isTruncatedAcross(line, by: regions, in: region)
                && known.contains { place in
                    place.intersectionArea(with: line) > 0
                        && min(line.width, line.height) > Tuning.minPieceHeight * min(place.width, place.height)
                }
        }
    }

    /// Whether each of the scanned regions around a detection truncates it on both sides.
    private static func isTruncatedAcross(_ line: Quad, by scanned: [Box], in region: Box) -> Bool {
        scanned.allAround(line) { $0.cutsAcross(line, in: region) }
    }
}
