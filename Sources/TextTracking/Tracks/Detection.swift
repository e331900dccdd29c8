internal import TextModel
internal import TextRecognition

/// Detection of a line in a frame, or of a section of it.
struct Detection {
    /// Line to read, in upright pixels.
    let line: DetectedLine
    /// Box of the line to read, in sent pixels.
    let place: Quad
    /// Box of the whole line as it was detected, in sent pixels.
    let wholePlace: Quad
    /// Identity of the split line of which it is a fragment; see ``Track/splitLineID``.
    var splitLineID: Int?
    /// Indices of the tracks that it replaces.
    var replaced: [Int] = []

    /// Detection of a whole line.
    init(_ line: DetectedLine, in frame: UprightFrame) {
        self.line = line
        self.place = frame.sent(line.rect.quad)
        self.wholePlace = self.place
    }

    /// Detection of another section of the same line.
    private init(_ place: Quad, of whole: Detection, in frame: UprightFrame) {
        self.line = DetectedLine(place, score: whole.line.score, in: frame)
        self.place = place
        self.wholePlace = whole.wholePlace
        self.splitLineID = whole.splitLineID
    }

    /// Detection that also covers other places on the line.
    func extended(over places: [Quad], in frame: UprightFrame) -> Detection {
        guard !places.isEmpty else { return self }
        return Detection(([self.place] + places).joined(along: self.place), of: self, in: frame)
    }

    /// Line to read, where the text of a lost track is expected if it was in this place.
    func line(expecting lost: [Track]) -> DetectedLine {
        var line = self.line
        line.expectedText = lost.first { $0.place.mostlyOverlaps(self.place) }?.expectedText
        return line
    }

    /// Sections of a detected line that the kept fragments of a split line leave uncovered.
    ///
    /// They end where the words of these fragments do.
    static func sections(
        of line: DetectedLine,
        beside tracks: [Track],
        in frame: UprightFrame
    ) -> [Detection] {
        var detection = Detection(line, in: frame)
        let fragments = tracks.indices.filter { index in
            let track = tracks[index]
            return track.splitLineID != nil
                && track.place.turned(towards: track.box).isCollinear(with: detection.wholePlace)
        }
        guard let first = fragments.first else { return [detection] }
        detection.splitLineID = tracks[first].splitLineID
        let kept = fragments.filter { tracks[$0].status != .lost }.map { tracks[$0].place }
        guard !kept.isEmpty else { return [detection] }
        let turned = detection.wholePlace.turned(towards: tracks[first].box)
        return turned.intervals(outside: kept).map { Detection(turned.section($0), of: detection, in: frame) }
    }
}
