internal import ImageCodecs
internal import TextModel
internal import TextRecognition

/// The text of a stream that is known: its lines, followed from frame to frame, and the numbers of their words.
struct TrackedText {
    /// The lines.
    var tracks: [Track] = []
    private var negativeCache = NegativeCache()
    private var votes = DirectionVotes()
    private var lostWords = ReidentificationBuffer()
    private var nextID: UInt64 = 1
    private var reportedIDs: [UInt64] = []

    /// A line is known when no longer stretch of it lies outside known lines, in heights of its own: narrow letters are as
    /// wide.
    private static let knownReach: Float = 0.45
    /// A piece of a line lies in it with so much of its surface at least: boxes of pieces reach a little too far.
    private static let pieceShare: Float = 0.6
    /// What the height of a line's box is multiplied by when it is read again before a camera that stands still, reading after
    /// reading: the same pixels give the same mistake.
    private static let heights: [Float] = [1, 1.06, 0.94]

    /// Begins another frame.
    mutating func nextFrame() {
        for index in self.tracks.indices { self.tracks[index].nextFrame() }
    }

    /// The camera moved.
    mutating func move(by step: Affine) { self.lostWords.move(by: step) }

    /// Nothing of what was known shows any more: what was illegible where its lines are says nothing about others.
    mutating func sceneChanged() { self.negativeCache = NegativeCache() }

    /// Forgets all text, but not which numbers words have had.
    mutating func forget() {
        self.tracks = []
        self.negativeCache = NegativeCache()
        self.votes = DirectionVotes()
        self.lostWords = ReidentificationBuffer()
    }

    /// The report of the frame: numbers new words and puts the lines in order.
    ///
    /// - Returns: The lines, and the numbers of words that the frame before reported and this one does not.
    mutating func report(_ frame: UprightFrame, at time: Duration) -> (lines: [TextLine], lost: [UInt64]) {
        self.tracks.number(from: self.lostWords, at: time, next: &self.nextID)
        let lines = self.tracks.flatMap { $0.reported(width: frame.view.width, height: frame.view.height) }
        let words = lines.flatMap(\.words)
        let ids = words.compactMap(\.id)
        let lost = Set(self.reportedIDs).subtracting(ids).sorted()
        self.reportedIDs = ids
        self.lostWords.report(words, at: time)
        return (ReadingOrder.sorted(lines.map { frame.upright($0.box) }).map { lines[$0] }, lost)
    }
}

extension TrackedText {
    /// Replaces lost tracks by the lines that are read at new places.
    ///
    /// - Parameters:
    ///   - found: The lines found in the frame, each of which is a known one or is read.
    ///   - parts: Where text was looked for; `nil` for the whole frame.
    ///   - skipped: Regions that changed and were not scanned.
    ///   - frame: The latest frame.
    ///   - context: What reads.
    /// - Throws: ``RecognitionError`` when inference fails.
    mutating func replaceLost(
        by found: [FoundLine],
        in parts: [Box]?,
        skipped: [Box],
        of frame: borrowing GrayPlane,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        let lost = self.tracks.lost
        var tracks = self.tracks.filter { $0.status != .lost }
        let known = tracks.indices
        let unread = Self.unread(of: found, beside: tracks, in: context.frame)
        var replaced = Self.uncertain(&tracks, found: found, in: parts, of: context.sentRegion)
        let read = try self.texts(of: unread, insteadOf: lost, skipped: skipped, &context)
        // What is cut off in the middle of a word that is kept shows that word's end as well.
        let staying = Set(known).subtracting(replaced).subtracting(read.flatMap(\.1.covered))
        let reported = read.isEmpty ? [] : staying.sorted().flatMap { tracks[$0].reported.flatMap(\.words) }
        for (text, found) in read {
            guard let text = text.without(reported, isSure: text.recognitionScore >= Track.sureScore) else { continue }
            replaced.formUnion(found.covered)
            let (place, score) = (found.place, found.line.score)
            tracks.append(Track(text, region: place, score: score, cutLine: found.cutLine, in: frame))
        }
        let covered = known.filter(replaced.contains).map { tracks[$0] }
        Self.inheritIDs(in: &tracks[known.count...], covered: covered, lost: lost)
        self.tracks = tracks.indices.filter { !replaced.contains($0) }.map { tracks[$0] }.joined(in: frame)
    }

    /// Has new lines inherit the ids of lines that they cover, and of lines that were lost.
    private static func inheritIDs(in tracks: inout ArraySlice<Track>, covered: [Track], lost: [Track]) {
        // Lines that show what they showed and more: their words are the same words, whatever they were taken for before. So
        // is what an edge of the frame cuts off, which says something else with every step.
        var sources = [
            WordIDs.Source(covered.filter(\.isCertain), leastLikeness: .other),
            WordIDs.Source(covered.filter { !$0.isCertain } + lost, leastLikeness: .alike, mayMove: true),
            WordIDs.Source(words: lost.flatMap(\.cutWords), leastLikeness: .other, mayMove: true),
        ]
        let displacement = WordDisplacement(from: lost.flatMap(\.line.words))
        let words = tracks.flatMap(\.line.words)
        for index in tracks.indices {
            let displacement = displacement.of(tracks[index].line.words, among: words)
            tracks[index].inheritIDs(from: &sources, displacement: displacement)
        }
    }

    /// Those lines among the found ones that are no known ones.
    private static func unread(of found: [FoundLine], beside tracks: [Track], in frame: UprightFrame) -> [FoundLine] {
        found.reduce(into: []) { unread, line in
            let place = line.place
            let shared = tracks.map { $0.place.intersectionArea(with: place) }
            let known = tracks.indices.filter { shared[$0] > 0 && !tracks[$0].hasGrown(to: place) }
            // What lies in a longer line that is known is the piece of it that a part of the frame shows.
            let isInside = known.contains {
                shared[$0] > Self.pieceShare * place.area && tracks[$0].place.length > place.length
            }
            guard !isInside else { return }
            // A line that is known was found again. One that has grown by as little as a letter is read as a whole, and so
            // is one of which only pieces were seen so far.
            let covered = tracks.indices.filter { tracks[$0].isCovered(sharing: shared[$0]) }
            let unknown = place.longestInterval(outside: known.map { tracks[$0].place } + unread.map(\.place))
            let reach = Self.knownReach * min(place.width, place.height)
            guard covered.count > 1 || unknown > reach else { return }
            // It takes the place of lines that are known, so all of them is read: a part of the frame shows them cut off.
            let cut = covered.map { tracks[$0].place }.filter { $0.longestInterval(outside: [place]) > reach }
            var line = line.extended(over: cut, in: frame)
            line.covered = covered
            unread.append(line)
        }
    }

    /// Counts which tracks were found where text was looked for.
    ///
    /// - Returns: Those among them that were missed too often to be kept.
    private static func uncertain(
        _ tracks: inout [Track],
        found: [FoundLine],
        in parts: [Box]?,
        of region: Box
    ) -> Set<Int> {
        Set(
            tracks.indices.filter { index in
                let isSeen = found.contains { tracks[index].isCovered(by: $0.whole) }
                let place = tracks[index].bounds.clipped(to: region)
                guard isSeen || parts?.contains(where: { $0.contains(place) }) ?? true else { return false }
                tracks[index].wasScanned(isSeen: isSeen, inWhole: parts == nil)
                return tracks[index].isUncertain
            }
        )
    }

    /// Reads those lines that were found and are due; those with a text.
    private mutating func texts(
        of found: [FoundLine],
        insteadOf lost: [Track],
        skipped: [Box],
        _ context: inout FrameContext
    ) throws(RecognitionError) -> [(TextLine, FoundLine)] {
        let due = found.filter { self.negativeCache.isDue($0.place) }
        let read = zip(due, try context.read(due.map(\.line), &self.votes))
        self.negativeCache.record(
            found.map(\.place),
            // A text that stood there and changed is read in the next frame too.
            illegible: read.filter { $0.1 == nil }.map(\.0.place).filter { place in
                !lost.contains { $0.readCount > 1 && $0.place.intersectionArea(with: place) > 0 }
            },
            skipped: skipped
        )
        return read.compactMap { found, text in text.map { ($0, found) } }
    }

    /// Reads lines again that may say something else now, and a few of those whose text is not settled yet.
    mutating func confirm(in frame: borrowing GrayPlane, _ context: inout FrameContext) throws(RecognitionError) {
        guard context.options.recognize else { return }
        let chosen = self.unconfirmed
        let lines = chosen.map { [tracks] in
            var line = DetectedLine(tracks[$0].place, score: tracks[$0].score, in: context.frame)
            if tracks[$0].motion == .identity {
                line.rect.height *= Self.heights[tracks[$0].readCount % Self.heights.count]
            }
            return line
        }
        for (index, text) in zip(chosen, try context.read(lines, &self.votes)) {
            if self.tracks[index].status == .uncertain {
                self.tracks[index].decide(text, in: frame)
            } else {
                self.tracks[index].count(text)
            }
        }
    }

    /// The kept lines to read again: all that are uncertain, and the first of those that wait, the weak ones before those that
    /// were read least.
    private var unconfirmed: [Int] {
        func turn(_ index: Int) -> (Int, Int, Int) {
            (self.tracks[index].isWeak ? 0 : 1, self.tracks[index].readCount, index)
        }
        let kept = self.tracks.indices.filter { self.tracks[$0].state == .kept }
        let uncertain = kept.filter { self.tracks[$0].status == .uncertain }
        let waiting = kept.filter { !self.tracks[$0].isConverged && self.tracks[$0].status != .uncertain }
        return uncertain + waiting.sorted { turn($0) < turn($1) }.prefix(max(2, self.tracks.count / 8))
    }
}
