internal import TextModel
internal import TextRecognition

/// A line that the detector found, or a stretch of it.
struct FoundLine {
    /// What is to be read.
    let line: DetectedLine
    /// Where that is, in sent pixels.
    let place: Quad
    /// Where the detector found all of it, in sent pixels.
    let whole: Quad
    /// See ``Track/cutLine``: the line of which it is a piece.
    var cutLine: UInt64?
    /// The kept tracks that it stands in the place of.
    var covered: [Int] = []

    /// All of a line.
    init(_ line: DetectedLine, in frame: UprightFrame) {
        self.line = line
        self.place = frame.sent(line.rect.quad)
        self.whole = self.place
    }

    /// A stretch of a line, a piece of one that was cut.
    private init(_ place: Quad, of found: FoundLine, in frame: UprightFrame) {
        self.line = DetectedLine(place, score: found.line.score, in: frame)
        self.place = place
        self.whole = found.whole
        self.cutLine = found.cutLine
    }

    /// The line with what of other places on it lies beyond its ends.
    func extended(over places: [Quad], in frame: UprightFrame) -> FoundLine {
        guard !places.isEmpty else { return self }
        return FoundLine(([self.place] + places).joined(along: self.place), of: self, in: frame)
    }

    /// What of a line lies beside the kept pieces of one that was cut, whose words end where they do.
    static func stretches(
        of line: DetectedLine,
        beside tracks: [Track],
        in frame: UprightFrame
    ) -> [FoundLine] {
        var found = FoundLine(line, in: frame)
        let pieces = tracks.indices.filter { index in
            let track = tracks[index]
            return track.cutLine != nil && track.place.turned(towards: track.line.box).isCollinear(with: found.whole)
        }
        guard let first = pieces.first else { return [found] }
        found.cutLine = tracks[first].cutLine
        let words = pieces.filter { tracks[$0].status != .lost }.map { tracks[$0].place }
        guard !words.isEmpty else { return [found] }
        let turned = found.whole.turned(towards: tracks[first].line.box)
        return turned.intervals(outside: words).map { FoundLine(turned.section($0), of: found, in: frame) }
    }
}
