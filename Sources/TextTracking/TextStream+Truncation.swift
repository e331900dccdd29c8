internal import TextModel

/// Detections that the scanned regions of a frame truncate.
extension TextStream {
    private enum Tuning {
        /// Height of a piece, in heights of the known line that it overlaps, from which it shows more than that line.
        ///
        /// Chosen by hand (streams log, *Pieces of lines before a moving camera*).
        static let minPieceHeight: Float = 1.5
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
