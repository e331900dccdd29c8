internal import TextModel
internal import TextRecognition

/// A line that is followed from frame to frame.
///
/// All places are those in the frame where the line was last anchored; ``motion`` takes them to the latest frame.
struct Track {
    /// What the latest frame shows of a line.
    enum Status {
        /// What it showed before.
        case matched
        /// Its pixels, which differ by so much that it may say something else.
        case uncertain
        /// Something else, or nothing.
        case lost
    }

    /// One text that the line was read as.
    fileprivate struct Candidate {
        var line: TextLine
        var count: Int
    }

    /// Where the detector found it.
    private(set) var region: Quad
    /// What all pieces of a line have in common that was cut between its words; `nil` where it is whole.
    private(set) var cutLine: UInt64?
    /// How sure the detector was.
    let score: Float
    /// Its pixels in the frame where it was anchored.
    let patch: LinePatch
    /// Whether an edge of the frame cut it off when it was read.
    let isCut: Bool
    /// The size of that frame.
    private let frameSize: (width: Int, height: Int)
    /// From the frame in which the line was anchored to the latest.
    var motion = Affine.identity
    /// The ids of the words, one for each word of ``best``.
    var wordIDs: [UInt64] = []
    var state = TextLine.State.new
    /// What its pixels say of it in the latest frame.
    var status = Status.matched
    /// Whether it is not reported until a full scan finds it too.
    var awaitsFullScan = false
    /// How often text was looked for in its place and found, and how often not.
    private(set) var seenCount = 1
    private(set) var missedCount = 0
    private var candidates: [Candidate]
    /// The candidate that is reported.
    private var chosen = 0
    /// How often the line was read.
    private(set) var readCount = 1
    /// How many of its readings found nothing.
    private var emptyReadCount = 0
    /// Which words of ``best`` are reported.
    private var isReported: [Bool]

    /// A line that says the same so many times is read no more.
    private static let equalReads = 3
    /// A line that ends this near to an edge of the frame may go on beyond it: so many pixels, or so large a share of its
    /// height where that is more.
    private static let edge = (pixels: Float(3), share: Float(0.2))
    /// A word that ends this near to an edge of the frame may be cut off by it, in heights of its box.
    private static let cutWord: Float = 0.5
    /// A line is read at most so many times, whatever it says.
    private static let mostReads = 9
    /// A line that was cut off says something else once so much more of it shows, as a fraction of its height.
    private static let growth: Float = 0.15
    /// A single reading of a line with this score is believed.
    static let sureScore: Float = 0.85
    /// Of a line whose readings differ, a word with this confidence, which is calibrated, is believed.
    private static let sureConfidence: Float = 0.85
    /// What boxes of a word share at least that two readings have in the same place.
    private static let leastOverlap: Float = 0.5

    /// A line that was read in `frame`.
    init(_ line: TextLine, region: Quad, score: Float, cutLine: UInt64? = nil, in frame: borrowing GrayPlane) {
        self.region = region
        self.score = score
        self.patch = LinePatch(line.box, in: frame)
        self.frameSize = (frame.width, frame.height)
        let edge = max(Self.edge.pixels, Self.edge.share * min(region.width, region.height))
        self.isCut = !region.isInside(self.frameSize, margin: edge)
        self.candidates = [Candidate(line: line, count: 1)]
        self.isReported = line.words.map { _ in true }
        self.cutLine = cutLine
    }

    /// Some of a line's words, in `frame`, which is the latest.
    init(_ words: Range<Int>, of whole: Track, region: Quad, in frame: borrowing GrayPlane) {
        let line = whole.line
        self.init(
            line.only(Array(line.words[words])) ?? line,
            region: region,
            score: whole.score,
            cutLine: whole.cutLine ?? whole.wordIDs.first,
            in: frame
        )
        self.candidates[0].count = whole.best.words[words].map(whole.agreeingCount).min() ?? 1
        self.isReported = Array(whole.isReported[words])
        self.wordIDs = Array(whole.wordIDs[words])
        self.state = whole.state
        self.readCount = whole.readCount
        self.seenCount = whole.seenCount
        self.missedCount = whole.missedCount
    }

    /// A line that was cut, in `frame`, which is the latest.
    ///
    /// - Parameters:
    ///   - pieces: At least one, in reading order.
    ///   - frame: The latest frame.
    init(joining pieces: [Track], in frame: borrowing GrayPlane) {
        func least<Value: Comparable>(_ value: (Track) -> Value) -> Value {
            pieces.dropFirst().map(value).reduce(value(pieces[0]), min)
        }
        let line = pieces.dropFirst().reduce(pieces[0].line) { $0.joined(with: $1.line) }
        self.init(line, region: pieces.map(\.place).joined(along: line.box), score: least(\.score), in: frame)
        self.wordIDs = pieces.flatMap(\.wordIDs)
        self.state = pieces.allSatisfy { $0.state == pieces[0].state } ? pieces[0].state : .read
        self.candidates[0].count = least { $0.candidates[$0.chosen].count }
        self.isReported = pieces.flatMap(\.isReported)
        self.readCount = least(\.readCount)
        self.seenCount = least(\.seenCount)
        self.missedCount = least(\.missedCount)
    }

    /// The text that is reported, where the line was anchored.
    var best: TextLine { self.candidates[self.chosen].line }

    /// Whether it says single characters only.
    var isCharacters: Bool { self.best.words.allSatisfy { $0.text.count == 1 } }

    /// The text that is reported, in the latest frame.
    var line: TextLine { self.motion == .identity ? self.best : self.best.moved(by: self.motion) }

    /// The line as the client hears of it, in the latest frame: all of it, or what stands together of its words that are
    /// reported; nothing while it waits.
    var reported: [TextLine] {
        guard !self.awaitsFullScan else { return [] }
        var line = self.line
        line.state = self.state
        for (index, id) in zip(line.words.indices, self.wordIDs) { line.words[index].id = id }
        guard self.isReported.contains(false) else { return [line] }
        return zip(line.words, self.isReported).split { !$0.1 }.compactMap { line.only($0.map(\.0)) }
    }

    /// The same without words that have left the frame.
    func reported(width: Int, height: Int) -> [TextLine] {
        let reported = self.reported
        guard self.motion != .identity, !self.line.box.isInside((width, height)) else { return reported }
        return reported.compactMap { line in
            line.only(
                line.words.filter { word in
                    let bounds = word.box.bounds
                    let seenX = min(bounds.right, Float(width)) - max(bounds.left, 0)
                    let seenY = min(bounds.bottom, Float(height)) - max(bounds.top, 0)
                    let seen = max(0, seenX) * max(0, seenY)
                    return seen >= 0.7 * (bounds.right - bounds.left) * (bounds.bottom - bounds.top)
                }
            )
        }
    }

    /// Where the detector would find it in the latest frame.
    var place: Quad { self.motion == .identity ? self.region : self.motion(self.region) }

    /// What lies around ``place``.
    var bounds: Box { Box(around: self.place, margin: 0) }

    /// Whether most of it lies in a place where text was found.
    func isCovered(by place: Quad) -> Bool { self.isCovered(sharing: self.place.intersectionArea(with: place)) }

    /// The same of a place that has so much surface in common with it.
    func isCovered(sharing area: Float) -> Bool { area > 0.5 * self.place.area }

    /// Whether it has been read often enough.
    var isConverged: Bool {
        self.candidates[self.chosen].count >= Self.equalReads || self.readCount >= Self.mostReads
    }

    /// How many readings have a word of ``best`` in its place.
    private func agreeingCount(_ word: TextWord) -> Int {
        let agreeing = self.candidates.filter { candidate in
            candidate.line.words.contains {
                $0.text == word.text && $0.box.intersectionOverUnion(with: word.box) > Self.leastOverlap
            }
        }
        return agreeing.reduce(0) { $0 + $1.count }
    }

    /// Decides which words are reported after another reading: all where the line is sure, else those that are, or that most
    /// readings have.
    ///
    /// What is no text is read now and then, each time as something else and never for certain. Text that fades out is read
    /// for the last time where little more than its ground is left, which is found again without it: where as many readings
    /// find nothing as find text, only what settles a line is reported.
    private mutating func decideWhatIsReported() {
        let isSure = self.best.recognitionScore >= Self.sureScore
        let isEmpty = 2 * self.emptyReadCount >= self.readCount
        self.isReported = self.best.words.map { word in
            if !isEmpty, isSure || word.confidence >= Self.sureConfidence { return true }
            let count = self.agreeingCount(word)
            return count >= Self.equalReads || count > 1 && 2 * count > self.readCount
        }
    }

    /// Whether it is known for certain what it says in the latest frame.
    var isCertain: Bool { self.status != .uncertain && !self.isReported.contains(false) }

    /// Whether another reading decides about it.
    var isWeak: Bool { self.best.recognitionScore < Self.sureScore && self.candidates[self.chosen].count == 1 }

    /// Whether text was looked for in its place and not found as often as it was.
    var isUncertain: Bool { self.missedCount >= self.seenCount }

    /// The words in the latest frame with their ids.
    var numberedWords: [WordIDs.Word] { zip(self.line.words, self.wordIDs).map { (word: $0, id: $1) } }

    /// Whether an edge of the frame cut it off, of which more shows in the place where it was found now.
    func hasGrown(to place: Quad) -> Bool {
        guard self.isCut else { return false }
        let height = min(self.place.width, self.place.height)
        return min(place.width, place.height) - height > Self.growth * height
            || place.longestInterval(outside: [self.place]) > Self.growth * height
    }

    /// The words that an edge of the frame cut off when they were read, in the latest frame with their ids.
    var cutWords: [WordIDs.Word] {
        guard self.isCut else { return [] }
        return zip(self.best.words, self.numberedWords).filter { word, _ in
            !word.box.isInside(self.frameSize, margin: Self.cutWord * word.box.height)
        }.map(\.1)
    }

    /// Inherits the ids of words that stood where those of its own that have none stand now, and takes them away from
    /// `sources`, of which the first that has one counts.
    ///
    /// - Parameters:
    ///   - sources: Words that may be the same.
    ///   - displacement: By how much those have moved that move by themselves.
    mutating func inheritIDs(
        from sources: inout [WordIDs.Source],
        displacement: Point = Point(x: 0, y: 0)
    ) {
        let words = self.line.words
        if self.wordIDs.isEmpty { self.wordIDs = words.map { _ in WordIDs.none } }
        for source in sources {
            let free = source.words.filter { !self.wordIDs.contains($0.id) }
            let due = words.indices.filter { self.wordIDs[$0] == WordIDs.none }
            let found = WordIDs.inherited(
                by: due.map { words[$0] },
                from: free,
                leastLikeness: source.leastLikeness,
                displacement: source.mayMove ? displacement : Point(x: 0, y: 0)
            )
            for (word, id) in zip(due, found) { self.wordIDs[word] = id }
        }
        for source in sources.indices { sources[source].words.removeAll { self.wordIDs.contains($0.id) } }
        if self.state == .new, self.wordIDs.contains(where: { $0 != WordIDs.none }) { self.state = .read }
    }

    /// Another frame has come.
    mutating func nextFrame() {
        self.state = .kept
        self.status = .matched
    }

    /// Takes a reading of the latest frame for what the line says now; where that is not sure, it says what it did.
    mutating func decide(_ reading: TextLine?, in frame: borrowing GrayPlane) {
        guard let reading else { return self.count(nil) }
        guard reading.recognitionScore >= Self.sureScore else { return }
        var track = Track(reading, region: self.place, score: self.score, in: frame)
        let isSame = reading.text == self.best.text
        track.wordIDs = WordIDs.inherited(by: reading.words, from: self.numberedWords, leastLikeness: .alike)
        track.state = .read
        track.seenCount = self.seenCount
        track.missedCount = self.missedCount
        track.awaitsFullScan = self.awaitsFullScan
        if isSame {
            track.readCount = self.readCount + 1
            track.candidates[0].count = self.candidates[self.chosen].count + 1
        }
        self = track
        if !self.isCharacters { self.endWaiting() }
    }

    /// Counts a scan for text in its place; a full scan that finds it ends its waiting.
    mutating func wasScanned(isSeen: Bool, inWhole isWhole: Bool) {
        if isSeen { self.seenCount += 1 } else { self.missedCount += 1 }
        if isSeen, isWhole, self.status != .uncertain { self.endWaiting() }
    }

    /// Has it be reported from now on, as new.
    private mutating func endWaiting() {
        guard self.awaitsFullScan else { return }
        self.awaitsFullScan = false
        self.state = .new
    }

    /// Counts another reading of the same pixels, in the latest frame; `nil` where nothing could be read.
    ///
    /// The text that was read most often is reported; among equals the one that was read with the most confidence.
    mutating func count(_ reading: TextLine?) {
        self.readCount += 1
        self.state = .read
        if reading == nil { self.emptyReadCount += 1 }
        defer { self.decideWhatIsReported() }
        guard let reading, let back = self.motion.inverse else { return }
        let line = self.motion == .identity ? reading : reading.moved(by: back)
        if let known = self.candidates.firstIndex(where: { $0.line.text == line.text }) {
            self.candidates[known].count += 1
            if line.confidence > self.candidates[known].line.confidence { self.candidates[known].line = line }
        } else {
            self.candidates.append(Candidate(line: line, count: 1))
        }
        let before = self.best
        var best = 0
        for index in self.candidates.indices.dropFirst() where self.candidates[index].beats(self.candidates[best]) {
            best = index
        }
        self.chosen = best
        if self.best.words.count != before.words.count || self.best.text != before.text {
            self.wordIDs = WordIDs.inherited(
                by: self.best.words,
                from: zip(before.words, self.wordIDs).map { ($0, $1) },
                leastLikeness: .other
            )
        }
        if !self.isCharacters { self.endWaiting() }
    }
}

extension Track.Candidate {
    fileprivate func beats(_ other: Self) -> Bool {
        (self.count, self.line.confidence) > (other.count, other.line.confidence)
    }
}

extension TextLine {
    /// The line with all its boxes moved.
    func moved(by motion: Affine) -> TextLine {
        var line = self
        line.box = motion(self.box)
        for word in line.words.indices {
            line.words[word].box = motion(line.words[word].box)
            for character in line.words[word].characters.indices {
                line.words[word].characters[character].box = motion(line.words[word].characters[character].box)
            }
        }
        return line
    }
}
