internal import TextModel
internal import TextRecognition

/// Track of a line from frame to frame.
///
/// Boxes are those in the frame where the line was anchored; ``motion`` maps them to the latest frame.
struct Track {
    /// Status of a track in the latest frame.
    enum Status {
        /// Match of its template.
        case matched
        /// Match of its template with a difference that may be another text.
        case uncertain
        /// No match: its place shows something else, or nothing.
        case lost
    }

    private enum Tuning {
        /// Legibility of a line from which it is read again, as a ratio to that of its crops so far: a fifth more contrast or size.
        ///
        /// Chosen by eye.
        static let betterCrop: Float = 1.5
        /// Margin of the place of a line that has grown, at either end of its text, in its heights; chosen by eye.
        static let grownMargin: Float = 0.25
        /// Largest increase of the decorrelation from frame to frame with which a line surely shows the same text.
        ///
        /// In small print a 9 differs from an 8 by no more than what noise and compression do elsewhere, but all at once: by
        /// 0.043 to 0.065 in 13 rows, where a hundredth of all matches increases by more than this (streams log, *A match that is
        /// suddenly worse*).
        static let sureIncrease: Float = 0.03
        /// The same of a line that stands still, where neither motion nor interpolation blurs it.
        ///
        /// A digit of 9 pixels on a dashboard camera's clock changed it by 0.022 and 0.027; of 185 frames, it increased by more
        /// than 0.015 in two without a change (streams log, *Lost lines, read where they were*).
        static let stillIncrease: Float = 0.015
        /// Largest displacement from frame to frame of a line that stands still, in pixels; chosen by eye.
        static let maxStillDisplacement: Float = 0.15
        /// Factor by which the decorrelation of a track falls from frame to frame at most; chosen by eye.
        ///
        /// Compressed video is better in some frames than in others.
        static let decorrelationDecay: Float = 0.9
        /// Characters of a text at most that a full scan has to detect; chosen by eye.
        static let maxUnconfirmedLength = 2
        /// Scans in a row that miss a line at most before its track ends, however often it was hit; chosen by eye.
        static let maxMisses = 4
    }

    /// Box of the detection.
    private(set) var region: Quad
    /// Identity in this frame that the fragments of a split line share; `nil` for a whole line.
    private(set) var splitLineID: Int?
    /// Detection score.
    let score: Float
    /// Template of the line.
    let template: LineTemplate
    /// Truncation of the line by the edges of the frame.
    let truncation: EdgeTruncation
    /// Growth of the truncated line that its last reading has shown, in pixels.
    private(set) var readGrowth: Float
    /// Motion from the frame where the line was anchored to the latest.
    var motion = Affine.identity
    /// Whether the line stood still while the camera moved: a caption or a clock over the picture.
    var isOverlay = false
    /// Whether the ground behind the line changes while its text stays, so that only a reading verifies it.
    ///
    /// A translucent caption over a moving picture is such a line: its template does not match, though its text is the same.
    var hasChangingGround = false
    /// Whether the latest frame, before a still camera, shows something else in its place.
    var hasChangedInPlace = false
    /// Ids of the words, one for each word of ``best``.
    var wordIDs: [UInt64] = []
    var state = TextLine.State.new
    var status = Status.matched
    /// Whether the track is tentative: not reported until a full scan detects the line too.
    var isTentative = false
    /// Whether a full scan has detected the line, and not only scans of regions.
    var wasHitByFullScan = false
    /// Scans of its place that detected the line.
    private(set) var hitCount = 1
    /// Scans of its place since the last of these, which did not.
    private(set) var missCount = 0
    /// Vote over the line's readings.
    private(set) var vote: ReadingVote
    /// Decorrelation of the template in the latest frame: what its correlation lacks of 1, times its length in heights.
    ///
    /// With the length, a letter counts the same in any line.
    private var decorrelation: Float = 0
    /// Difference of the template in the latest frame, as a share of the line's contrast.
    private var difference: Float = 0
    /// Decorrelation of matches that surely show the text, the largest of which counts for some time.
    ///
    /// It is infinite before the first match.
    private var sureDecorrelation = Float.infinity
    /// Faint changes of the line before a still camera.
    var faintChanges = FaintChanges()
    /// Legibility of the line in the latest frame; see ``LineTemplate/legibility``.
    private var legibility: Float
    /// Legibility of the last clearly better crop.
    private var bestLegibility: Float

    /// Track of a line that was read in `frame`.
    init(_ line: TextLine, region: Quad, score: Float, splitLineID: Int? = nil, in frame: borrowing GrayPlane) {
        self.region = region
        self.score = score
        self.template = LineTemplate(line.box, in: frame)
        self.truncation = EdgeTruncation(of: region, in: (frame.width, frame.height))
        self.readGrowth = self.truncation.continuedPlace(after: .identity).length - region.length
        self.legibility = self.template.legibility
        self.bestLegibility = self.legibility
        self.vote = ReadingVote(line, legibility: self.legibility)
        self.splitLineID = splitLineID
    }

    /// Fragment of a track: some of its words, in the latest frame.
    init(_ words: Range<Int>, of whole: Track, region: Quad, splitLineID: Int, in frame: borrowing GrayPlane) {
        let line = whole.line
        self.init(
            line.restricted(to: Array(line.words[words])) ?? line,
            region: region,
            score: whole.score,
            splitLineID: splitLineID,
            in: frame
        )
        self.vote.inherit(from: whole.vote, words: words)
        self.wordIDs = Array(whole.wordIDs[words])
        self.state = whole.state
        self.inheritHistory(of: whole)
    }

    /// Track of a split line that is whole again, in the latest frame.
    ///
    /// - Parameters:
    ///   - fragments: At least one, in reading order.
    ///   - frame: The latest frame.
    init(joining fragments: [Track], in frame: borrowing GrayPlane) {
        func least<Value: Comparable>(_ value: (Track) -> Value) -> Value {
            fragments.dropFirst().map(value).reduce(value(fragments[0]), min)
        }
        let line = fragments.dropFirst().reduce(fragments[0].line) { $0.joined(with: $1.line) }
        self.init(line, region: fragments.map(\.place).joined(along: line.box), score: least(\.score), in: frame)
        self.wordIDs = fragments.flatMap(\.wordIDs)
        self.state = fragments.allSatisfy { $0.state == fragments[0].state } ? fragments[0].state : .read
        self.vote.inherit(from: fragments.map(\.vote))
        self.hitCount = least(\.hitCount)
        self.missCount = least(\.missCount)
        self.isTentative = fragments.allSatisfy(\.isTentative)
        self.isOverlay = fragments.allSatisfy(\.isOverlay)
        self.wasHitByFullScan = fragments.contains(where: \.wasHitByFullScan)
        self.hasChangingGround = fragments.contains(where: \.hasChangingGround)
    }

    /// Takes over what scans and motion have shown of another track of the same line.
    private mutating func inheritHistory(of track: Track) {
        self.hitCount = track.hitCount
        self.missCount = track.missCount
        self.isTentative = track.isTentative
        self.isOverlay = track.isOverlay
        self.wasHitByFullScan = track.wasHitByFullScan
        self.hasChangingGround = track.hasChangingGround
    }

    /// Line of the best hypothesis, where it was anchored.
    var best: TextLine { self.vote.best }

    /// Line of the best hypothesis, in the latest frame.
    var line: TextLine { self.motion == .identity ? self.best : self.best.moved(by: self.motion) }

    /// Box of ``line``, without a copy of its words and characters.
    var box: Quad { self.motion == .identity ? self.best.box : self.motion(self.best.box) }

    /// Predicted box of a detection in the latest frame, without what the frame's edges cut off of its length since it was anchored.
    var place: Quad { self.truncation.place(after: self.motion) }

    /// Predicted box of the whole line in the latest frame, which may lie outside it.
    var wholePlace: Quad { self.motion(self.region) }

    /// Whether an edge of the frame may have truncated the line when it was read.
    var isTruncated: Bool { self.truncation.isTruncated }

    /// Whether the latest frame shows less of the line's length than the frame where it was anchored.
    var isPartlyHidden: Bool { self.truncation.isPartlyHidden(after: self.motion) }

    /// Line to read in its place in the latest frame.
    func detectedLine(in frame: UprightFrame) -> DetectedLine {
        var line = DetectedLine(self.place, score: self.score, in: frame)
        line.expectedText = self.expectedText
        return line
    }

    /// Text that readings may confirm, once enough of them that did not depend on it have agreed; `nil` before.
    var expectedText: String? { self.vote.isConverged ? self.best.text : nil }

    /// Bounding box of ``place``.
    var bounds: Box { Box(around: self.place, margin: 0) }

    /// Whether all words are single characters.
    var isCharacters: Bool { self.best.words.allSatisfy { $0.text.count == 1 } }

    /// Whether another sure reading in its place is another word: enough readings have agreed, and the picture has changed.
    var hasConvergedAndChanged: Bool { self.hasChangedInPlace && self.vote.isConverged && self.vote.isSure }

    /// Whether this track rather than another is text: it is sure and the other is not, or more of the pixels' gradients are in it.
    func outweighs(_ other: Track) -> Bool {
        let (isSure, isOtherSure) = (self.vote.isSure, other.vote.isSure)
        return isSure != isOtherSure ? isSure : self.energy > other.energy
    }

    /// Energy of the line's gradients in its latest crop.
    private var energy: Float { self.legibility * self.box.area }

    /// Whether all words are reported and the template matches closely.
    var isCertain: Bool { self.status != .uncertain && !self.vote.isReported.contains(false) }

    /// Whether the track ends: it was missed in a row as often as it was hit, or as any line may be.
    var isTerminated: Bool { self.missCount >= min(self.hitCount, Tuning.maxMisses) }

    /// Whether an edge of the frame may have truncated a word of ``best``.
    func isTruncated(_ word: TextWord) -> Bool {
        self.isTruncated && self.truncation.mayTruncate(word.box)
    }

    /// Whether a full scan that misses the line ends the track, whatever can be read there.
    ///
    /// In regions around what moves, edges look like one or two letters, and are read for certain time and again.
    var needsFullScan: Bool { !self.wasHitByFullScan && self.best.text.count <= Tuning.maxUnconfirmedLength }

    /// Begins another frame.
    mutating func nextFrame() {
        self.state = .kept
        self.status = .matched
        self.hasChangedInPlace = false
    }

    /// Follows the line to its match in the latest frame.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - isSure: Whether its difference is surely that of the same text.
    mutating func wasMatched(_ match: LineMatcher.Match, isSure: Bool) {
        let centre = self.region.centre
        let isStill = self.motion(centre).distance(to: match.motion(centre)) < Tuning.maxStillDisplacement
        self.motion = match.motion
        self.decorrelation = match.decorrelation
        self.difference = match.difference
        let maxIncrease = isStill ? Tuning.stillIncrease : Tuning.sureIncrease
        let isSure = isSure && self.decorrelation <= self.sureDecorrelation + maxIncrease
        let isFirst = self.sureDecorrelation.isInfinite
        // That of a match which is not sure may be of another text, unlike those before.
        if isSure || isFirst {
            let earlier = isFirst ? 0 : Tuning.decorrelationDecay * self.sureDecorrelation
            self.sureDecorrelation = max(self.decorrelation, earlier)
        }
        self.status = isSure ? .matched : .uncertain
        self.legibility = match.legibility
        guard self.legibility > Tuning.betterCrop * self.bestLegibility, !self.isPartlyHidden else { return }
        self.bestLegibility = self.legibility
        self.vote.cropImproved()
    }

    /// Compares its match before a still camera with what noise explains.
    ///
    /// - Parameter comparison: What the line is compared for.
    mutating func wasCompared(_ comparison: FaintChanges.Comparison) {
        self.faintChanges.isPending = false
        guard self.status == .matched else { return }
        let isOther = self.faintChanges.record(
            comparison,
            decorrelation: self.decorrelation,
            difference: self.difference,
            maxIncrease: Tuning.stillIncrease
        )
        if isOther { self.status = .uncertain }
    }

    /// Keeps its motion, and what its matches before a moving camera are measured by, after a comparison before a still one.
    mutating func stayed(as earlier: Track) {
        self.motion = earlier.motion
        self.sureDecorrelation = earlier.sureDecorrelation
    }

    /// Counts a scan of its place; a full scan that detects a tentative track confirms it.
    mutating func recordScan(isHit: Bool, isFull: Bool) {
        self.missCount = isHit ? 0 : self.missCount + 1
        if isHit { self.hitCount += 1 }
        self.wasHitByFullScan = self.wasHitByFullScan || isHit && isFull
        if isHit, isFull, self.status != .uncertain { self.confirm() }
    }

    /// Confirms a tentative track, which is reported from now on.
    private mutating func confirm() {
        guard self.isTentative else { return }
        self.isTentative = false
        self.state = .new
    }
}

extension Track {
    /// Replaces the text of an uncertain track by a sure reading of the latest frame; any other reading changes nothing.
    mutating func verify(_ reading: TextLine?, in frame: borrowing GrayPlane) {
        // Whatever the reading is, the next ones are left to the vote: a line that is hardly legible is not read in each frame.
        self.sureDecorrelation = max(self.sureDecorrelation, self.decorrelation)
        self.faintChanges.wasRead(decorrelation: self.decorrelation)
        if self.isPartlyHidden, reading?.contains(self.wholeWords) ?? true { return }
        guard let reading else { return self.add(nil) }
        guard reading.isSure else { return }
        let faintChanges = self.faintChanges
        if self.replace(by: reading, in: self.place, of: frame, minSimilarity: .similar) {
            self.faintChanges.keepConfirmations(of: faintChanges)
        }
    }

    /// Replaces the text of a truncated line by a sure reading of what has come into view of it; any other changes nothing.
    ///
    /// - Parameters:
    ///   - reading: The reading.
    ///   - place: Where the line was read.
    ///   - frame: The latest frame.
    mutating func grow(to reading: TextLine?, in place: Quad, of frame: borrowing GrayPlane) {
        self.readGrowth = place.length - self.place.length
        guard let reading, reading.isSure else { return }
        let line = place.turned(towards: reading.box)
        let text = line.interval(of: reading.box)
        let margin = Tuning.grownMargin * line.height / max(line.width, 1)
        let ends = [max(0, text.lowerBound - margin), min(1, text.upperBound + margin)]
        self.replace(by: reading, in: line.section(ClosedRange(around: ends)), of: frame, minSimilarity: .different)
    }

    /// Replaces the track by that of another reading of its line.
    ///
    /// - Returns: Whether the text is the same, so that the votes count together.
    @discardableResult
    private mutating func replace(
        by reading: TextLine,
        in region: Quad,
        of frame: borrowing GrayPlane,
        minSimilarity: WordSimilarity
    ) -> Bool {
        var track = Track(reading, region: region, score: self.score, in: frame)
        track.wordIDs = WordIDs.inherited(by: reading.words, from: self.numberedWords, minSimilarity: minSimilarity)
        track.state = .read
        track.inheritHistory(of: self)
        let isSame = reading.text == self.best.text
        if isSame { track.vote.prepend(self.vote) }
        self = track
        if !self.isCharacters { self.confirm() }
        return isSame
    }

    /// Finds a lost track of a line on changing ground again by a sure reading of the same text in its place.
    ///
    /// Any other reading leaves it lost.
    mutating func recover(_ reading: TextLine?, in frame: borrowing GrayPlane) {
        guard let reading, reading.isSure, self.isSame(as: reading) else {
            self.hasChangingGround = false
            return
        }
        self.verify(reading, in: frame)
    }

    /// Whether a reading has the same text in the same place.
    func isSame(as reading: TextLine) -> Bool {
        self.best.text == reading.text && reading.box.isInPlace(of: self.box)
    }

    /// Adds another reading of the same pixels, in the latest frame; `nil` for one without text.
    mutating func add(_ reading: TextLine?) {
        self.state = .read
        let before = self.best
        let back = self.motion.inverse ?? .identity
        let anchored = reading.map { self.motion == .identity ? $0 : $0.moved(by: back) }
        self.vote.add(anchored, legibility: self.legibility)
        guard reading != nil else { return }
        if self.best.words.count != before.words.count || self.best.text != before.text {
            self.wordIDs = WordIDs.inherited(
                by: self.best.words,
                from: zip(before.words, self.wordIDs).map { ($0, $1) },
                minSimilarity: .different
            )
        }
        if !self.isCharacters { self.confirm() }
    }
}
