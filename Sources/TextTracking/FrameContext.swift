internal import TextModel
internal import TextRecognition

/// What is done with the networks in one frame.
struct FrameContext {
    let reader: any PartReader
    private(set) var frame: UprightFrame
    let options: ReadingOptions
    /// Whether a network has run.
    private(set) var hasRun = false
    /// Time spent reading lines.
    private(set) var recognize = Duration.zero
    private let clock = ContinuousClock()

    init(reader: any PartReader, frame: UprightFrame, options: ReadingOptions) {
        self.reader = reader
        self.frame = frame
        self.options = options
    }

    /// Where text is looked for, in sent pixels.
    var sentRegion: Box {
        let rect = self.frame.sent(self.frame.pixels(of: self.options.regionOfInterest))
        return Box(left: rect.x, top: rect.y, right: rect.x + rect.width, bottom: rect.y + rect.height)
    }

    /// How many quarters clockwise the frame must be turned for its text to stand upright; `nil` if that cannot be reported.
    mutating func turn() throws(RecognitionError) -> Int? {
        self.hasRun = true
        return try self.reader.turn(of: self.frame, options: self.options)
    }

    /// Turns the frame clockwise.
    mutating func turn(byQuarterTurns quarterTurns: Int) {
        self.frame = UprightFrame(
            self.frame.view,
            orientation: self.frame.orientation.turned(byQuarterTurns: quarterTurns)
        )
    }

    /// What scanning parts of the frame costs, as a fraction of what all of it does.
    func cost(of parts: [Box]) -> Float {
        self.reader.cost(ofFindingIn: parts.map(self.upright), of: self.frame, options: self.options)
    }

    /// Finds the lines in parts of the frame, or in all of it.
    mutating func find(_ parts: [Box]?) throws(RecognitionError) -> [DetectedLine] {
        if let parts, parts.isEmpty { return [] }
        self.hasRun = true
        return try self.reader.find(in: self.frame, parts: parts?.map(self.upright), options: self.options)
    }

    /// Reads lines; see ``PartReader``.
    mutating func read(
        _ lines: [DetectedLine],
        _ votes: inout DirectionVotes
    ) throws(RecognitionError) -> [TextLine?] {
        guard !lines.isEmpty else { return [] }
        self.hasRun = true
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
    /// A line in a place that was found in an earlier frame, in sent pixels.
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
