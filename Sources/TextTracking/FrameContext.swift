internal import TextModel
internal import TextRecognition

/// Recognition context of one frame: its reader, its orientation, and the time that networks take.
struct FrameContext {
    let reader: any RegionReader
    private(set) var frame: UprightFrame
    let options: ReadingOptions
    /// Whether a network has run.
    private(set) var hasRun = false
    /// Whether the whole frame was scanned closely.
    private var hasScannedAll = false
    /// Whether the whole frame was scanned coarsely.
    private var hasScannedCoarsely = false
    /// Whether regions of the frame were scanned.
    private var hasScannedRegions = false
    /// Number of lines that were read.
    private var linesRead = 0
    /// Time spent on text recognition.
    private(set) var recognize = Duration.zero
    private let clock = ContinuousClock()

    init(reader: any RegionReader, frame: UprightFrame, options: ReadingOptions) {
        self.reader = reader
        self.frame = frame
        self.options = options
    }

    /// Work so far.
    var work: TrackingWork {
        let scan: TrackingWork.Scan =
            self.hasScannedAll ? .full : self.hasScannedCoarsely ? .coarse : self.hasScannedRegions ? .regions : .none
        return TrackingWork(scan: scan, linesRead: self.linesRead)
    }

    /// Region of interest in sent pixels.
    var sentRegion: Box {
        let rect = self.frame.sent(self.frame.pixels(of: self.options.regionOfInterest))
        return Box(left: rect.x, top: rect.y, right: rect.x + rect.width, bottom: rect.y + rect.height)
    }

    /// Estimates the clockwise quarter turns that bring the frame's text upright; `nil` if it has too little.
    mutating func estimateQuarterTurns() throws(RecognitionError) -> Int? {
        self.hasRun = true
        self.hasScannedAll = true
        return try self.reader.turn(of: self.frame, options: self.options)
    }

    /// Turns the frame clockwise.
    mutating func turn(byQuarterTurns quarterTurns: Int) {
        self.frame = UprightFrame(
            self.frame.view,
            orientation: self.frame.orientation.turned(byQuarterTurns: quarterTurns)
        )
    }

    /// Cost of scanning regions of the frame, as a share of a full scan.
    func cost(of regions: [Box]) -> Float {
        self.reader.detectionCost(of: regions.map(self.upright), in: self.frame, options: self.options)
    }

    /// Detects the lines in regions of the frame, or in all of it.
    mutating func detect(in regions: [Box]?) throws(RecognitionError) -> [DetectedLine] {
        if let regions, regions.isEmpty { return [] }
        self.hasRun = true
        if regions == nil { self.hasScannedAll = true } else { self.hasScannedRegions = true }
        return try self.reader.detect(in: self.frame, regions: regions?.map(self.upright), options: self.options)
    }

    /// Proposes where text may be, by a coarse scan; see ``RegionReader``.
    mutating func propose() throws(RecognitionError) -> [Proposal] {
        self.hasRun = true
        self.hasScannedCoarsely = true
        return try self.reader.propose(in: self.frame, options: self.options).map { line in
            Proposal(place: self.frame.sent(line.rect.quad), score: line.score)
        }
    }

    /// Reads lines; see ``RegionReader``.
    mutating func read(
        _ lines: [DetectedLine],
        _ votes: inout LineVotes
    ) throws(RecognitionError) -> [TextLine?] {
        guard !lines.isEmpty else { return [] }
        self.hasRun = true
        self.linesRead += lines.count
        let start = self.clock.now
        defer { self.recognize += self.clock.now - start }
        return try self.reader.read(lines, in: self.frame, options: self.options, votes: &votes)
    }

    private func upright(_ box: Box) -> PixelRect {
        let bounds = self.frame.upright(Quad(box)).bounds
        return PixelRect(
            x: Int(bounds.left),
            y: Int(bounds.top),
            width: Int(bounds.right - bounds.left),
            height: Int(bounds.bottom - bounds.top)
        )
    }
}

extension DetectedLine {
    /// Line at a place in sent pixels that is known from an earlier frame.
    init(_ place: Quad, score: Float, in frame: UprightFrame) {
        let quad = frame.upright(place)
        let (from, to) = (quad.topLeft, quad.topRight)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let width = (dx * dx + dy * dy).squareRoot()
        let (ex, ey) = (quad.bottomLeft.x - from.x, quad.bottomLeft.y - from.y)
        self.init(
            rect: RotatedRect(
                centre: quad.centre,
                axis: width > 0 ? Point(x: dx / width, y: dy / width) : Point(x: 1, y: 0),
                width: width,
                height: (ex * ex + ey * ey).squareRoot()
            ).levelled,
            score: score
        )
    }
}
