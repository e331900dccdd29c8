internal import ImageCodecs
internal import TextModel
internal import TextRecognition

/// Tracked text of a stream: the tracks of its lines, and the ids of their words.
struct TrackedText {
    private enum Tuning {
        /// Minimum length of a detection outside known tracks at which it is a new line, in its heights: that of a narrow letter.
        ///
        /// With ``minFragmentShare`` and a number of ``EdgeTruncation``, it brought `fixed` from 0.992 to 1.000 of the words of
        /// single frames (streams log, *Tighter line boxes*).
        static let minUncovered: Float = 0.45
        /// Least share of a detection inside a longer known line from which it is a fragment of that line.
        ///
        /// Boxes of fragments extend a little too far. For its source see ``minUncovered``.
        static let minFragmentShare: Float = 0.6
        /// Factors of the height of a line's box, reading after reading before a still camera.
        ///
        /// Equal pixels lead to equal mistakes: a form had 1.008 instead of 0.981 of the words of single frames (streams log,
        /// *Earlier experiments*).
        static let heightFactors: [Float] = [1, 1.06, 0.94]
        /// Least number of tracks that have not converged and are read again in a frame; chosen by eye.
        static let minReread = 2
        /// Tracks of which one more is read again in a frame; chosen by eye.
        static let rereadDivisor = 8
        /// Least share of the tracks that are lost at once where the frame may show another scene under a logo.
        ///
        /// Chosen by eye.
        static let cutShare: Float = 0.5
    }

    var tracks: [Track] = []
    /// Tracks of lines that have left the frame.
    var hidden = HiddenTracks()
    private var negativeCache = NegativeCache()
    /// Places of lines that the latest scan detected and that were not read, as nothing could be read there before.
    private(set) var waiting: [Quad] = []
    var votes = LineVotes()
    private var reidentification = ReidentificationBuffer()
    /// Ids of converged words that the latest frame shows changed.
    private var convergedIDs: Set<UInt64> = []
    /// Id of the next new word.
    var nextID: UInt64 = 1

    /// Begins another frame.
    ///
    /// - Parameters:
    ///   - time: The time of the frame.
    ///   - refresh: The time after which what was illegible is read again.
    mutating func nextFrame(at time: Duration, refresh: Duration) {
        for index in self.tracks.indices { self.tracks[index].nextFrame() }
        self.convergedIDs = []
        self.hidden.nextFrame(at: time)
        self.negativeCache.nextFrame(at: time, refresh: refresh)
    }

    /// Moves lost words and illegible places with the camera.
    mutating func move(by step: Affine) {
        self.reidentification.move(by: step)
        self.negativeCache.move(by: step)
    }

    /// Whether a line that a full scan detects in `place` is read, as it may be legible.
    func isDue(_ place: Quad) -> Bool { self.negativeCache.isDue(place) }

    /// Discards what is known of places, as the frame shows another scene.
    mutating func sceneChanged() {
        self.negativeCache.removeAll()
        self.hidden.removeAll()
    }

    /// Discards all text, but not the ids that words have had.
    mutating func reset() {
        self.tracks = []
        self.hidden.removeAll()
        self.negativeCache.removeAll()
        self.votes = LineVotes()
        self.reidentification = ReidentificationBuffer()
    }

    /// Reports the text of a frame: assigns ids to new words, and sorts the lines.
    ///
    /// - Returns: The lines in reading order.
    mutating func report(_ context: FrameContext, at time: Duration) -> [TextLine] {
        self.tracks.assignIDs(
            from: self.reidentification,
            excluding: self.hidden.wordIDs,
            converged: self.convergedIDs,
            at: time,
            next: &self.nextID
        )
        let lines = self.tracks.flatMap { $0.reported(inside: context.sentRegion) }
        self.reidentification.record(lines.flatMap(\.words), at: time)
        return MachineReadableZone.corrected(ReadingOrder.sorted(lines, in: context.frame), options: context.options)
    }
}

extension TrackedText {
    /// Associates detections with tracks, recognizes the unmatched ones, and starts tracks for those with text.
    ///
    /// - Parameters:
    ///   - detections: The lines that were detected in the frame.
    ///   - regions: Where the frame was scanned; `nil` for all of it.
    ///   - skipped: Regions that changed and were not scanned.
    ///   - frame: The latest frame.
    ///   - context: The frame's recognition.
    /// - Throws: ``RecognitionError`` when inference fails.
    mutating func associate(
        _ detections: [Detection],
        in regions: [Box]?,
        skipped: [Box],
        of frame: borrowing GrayPlane,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        let lost = self.tracks.lost
        self.convergedIDs.formUnion(lost.convergedIDs)
        if !lost.isEmpty, Float(lost.count) >= Tuning.cutShare * Float(self.tracks.count) {
            self.negativeCache.removeDormant()
            self.hidden.removeAll()
        }
        var tracks = self.tracks.filter { $0.status != .lost }
        let known = tracks.indices
        // What shows the rest of a line that has left the frame would be read as another text.
        let hidden = self.hidden.places
        let suppressed = detections.filter { Self.isRest($0, of: hidden) }
        let visible = suppressed.isEmpty ? detections : detections.filter { !Self.isRest($0, of: hidden) }
        let unmatched = Self.unmatched(visible, beside: tracks, in: context.frame)
        var replaced = Self.terminated(&tracks, detections: detections, in: regions, of: context.sentRegion)
        replaced.subtract(try self.legible(replaced, of: &tracks, isFullScan: regions == nil, &context))
        let read = try self.read(unmatched, insteadOf: lost, in: regions, skipped: skipped, &context)
        self.waiting += suppressed.map(\.place)
        // A detection truncated in the middle of a kept word shows that word's end as well.
        let kept = Set(known).subtracting(replaced).subtracting(read.flatMap(\.1.replaced))
        let reported = read.isEmpty ? [] : kept.sorted().flatMap { tracks[$0].reported.flatMap(\.words) }
        for (text, detection) in read {
            guard let text = text.removing(duplicatesOf: reported, isSure: text.isSure) else { continue }
            replaced.formUnion(detection.replaced)
            let (place, score) = (detection.place, detection.line.score)
            var track = Track(text, region: place, score: score, splitLineID: detection.splitLineID, in: frame)
            track.wasHitByFullScan = regions == nil
            track.hasChangingGround = lost.contains { $0.isSame(as: text) }
            tracks.append(track)
        }
        let covered = known.filter(replaced.contains).map { tracks[$0] }
        Self.inheritIDs(in: &tracks[known.count...], covered: covered, lost: lost)
        self.tracks = tracks.removing(replaced)
        if regions != nil { try self.restore(lost, in: frame, &context) }
        self.tracks = self.tracks.joined(in: frame)
    }

    /// Lets new tracks inherit the ids of tracks that they cover, and of lost ones.
    static func inheritIDs(in tracks: inout ArraySlice<Track>, covered: [Track], lost: [Track]) {
        // A certain track shows what it showed and more, so its words are the same whatever they were read as. So is what an
        // edge of the frame truncates, which is read differently with every step.
        var candidates = [
            WordIDs.Candidates(covered.filter(\.isCertain), minSimilarity: .different),
            WordIDs.Candidates(covered.filter { !$0.isCertain } + lost, minSimilarity: .similar, mayMove: true),
            WordIDs.Candidates(words: lost.flatMap(\.truncatedWords), minSimilarity: .different, mayMove: true),
        ]
        var displacement = WordDisplacement(
            from: lost.flatMap(\.line.words),
            to: tracks.flatMap(\.line.words)
        )
        var end = 0
        for index in tracks.indices {
            let start = end
            end += tracks[index].best.words.count
            tracks[index].inheritIDs(from: &candidates, displacement: displacement.of(start..<end))
        }
    }

    /// Whether a detection shows the rest of a line that has left the frame.
    private static func isRest(_ detection: Detection, of hidden: [Quad]) -> Bool {
        let place = detection.place
        return hidden.contains { $0.intersectionArea(with: place) > Tuning.minFragmentShare * place.area }
    }

    /// Unmatched detections, each extended to cover the tracks that it replaces.
    private static func unmatched(
        _ detections: [Detection],
        beside tracks: [Track],
        in frame: UprightFrame
    ) -> [Detection] {
        detections.reduce(into: []) { unmatched, detection in
            let place = detection.place
            let shared = tracks.map { $0.place.intersectionArea(with: place) }
            let known = tracks.indices.filter {
                shared[$0] > 0 && !tracks[$0].hasGrown(to: place) && tracks[$0].place.mayShow(place)
            }
            // What lies in a longer known line is the part of it that a region of the frame shows.
            let isFragment = known.contains {
                shared[$0] > Tuning.minFragmentShare * place.area && tracks[$0].place.length > place.length
            }
            guard !isFragment else { return }
            // A line that has grown by as little as a letter is read as a whole, and so is one that was tracked in parts.
            let covered = tracks.indices.filter { tracks[$0].isCovered(by: place, intersection: shared[$0]) }
            let others = known.map { tracks[$0].place } + unmatched.map(\.place)
            let minUncovered = Tuning.minUncovered * min(place.width, place.height)
            guard covered.count > 1 || place.longestInterval(outside: others) > minUncovered else { return }
            // It replaces known lines, so all of them is read: a region of the frame may truncate them.
            let truncated = covered.map { tracks[$0].place }.filter {
                $0.longestInterval(outside: [place]) > minUncovered
            }
            var detection = detection.extended(over: truncated, in: frame)
            detection.replaced = covered
            unmatched.append(detection)
        }
    }

    /// Records hits and misses of the tracks that were scanned.
    ///
    /// - Returns: The indices of tracks that end.
    private static func terminated(
        _ tracks: inout [Track],
        detections: [Detection],
        in regions: [Box]?,
        of sentRegion: Box
    ) -> Set<Int> {
        Set(
            tracks.indices.filter { index in
                let isHit = detections.contains { tracks[index].isCovered(by: $0.wholePlace) }
                let place = tracks[index].bounds.clipped(to: sentRegion)
                guard isHit || regions?.contains(where: { $0.contains(place) }) ?? true else { return false }
                tracks[index].recordScan(isHit: isHit, isFull: regions == nil)
                return tracks[index].isTerminated
            }
        )
    }

    /// Reads tracks that were matched though a scan missed them.
    ///
    /// A scan of a single frame misses some of what is blurred, small or short. Where the same text can still be read it stays.
    ///
    /// - Returns: The indices of those with the same text, for certain.
    private mutating func legible(
        _ missed: Set<Int>,
        of tracks: inout [Track],
        isFullScan: Bool,
        _ context: inout FrameContext
    ) throws(RecognitionError) -> Set<Int> {
        guard context.options.recognize else { return [] }
        let due = missed.sorted().filter { index in
            let track = tracks[index]
            return track.status == .matched && !track.isTentative && !(isFullScan && track.needsFullScan)
        }
        let lines = due.map { tracks[$0].detectedLine(in: context.frame) }
        var legible: Set<Int> = []
        for (index, text) in zip(due, try context.read(lines, &self.votes)) {
            guard let text, text.isSure, text.text == tracks[index].best.text
            else { continue }
            tracks[index].add(text)
            legible.insert(index)
        }
        return legible
    }

    /// Reads the detections that are due; returns those with text.
    private mutating func read(
        _ detections: [Detection],
        insteadOf lost: [Track],
        in regions: [Box]?,
        skipped: [Box],
        _ context: inout FrameContext
    ) throws(RecognitionError) -> [(TextLine, Detection)] {
        let isFullScan = regions == nil
        var due: [Detection] = []
        self.waiting = []
        for detection in detections {
            if self.negativeCache.isDue(detection.place, isFullScan: isFullScan) {
                due.append(detection)
            } else {
                self.waiting.append(detection.place)
            }
        }
        let lines = due.map { $0.line(expecting: lost) }
        let read = zip(due, try context.read(lines, &self.votes))
        self.negativeCache.record(
            detections.map(\.place),
            // Changed text is read in the next frame too, so that it is not late.
            illegible: read.filter { $0.1 == nil }.map(\.0.place).filter { place in
                !lost.contains { $0.vote.readCount > 1 && $0.place.intersectionArea(with: place) > 0 }
            },
            in: regions,
            skipped: skipped
        )
        return read.compactMap { detection, text in text.map { ($0, detection) } }
    }

    /// Reads truncated lines of which more has come into view.
    mutating func readGrown(in frame: borrowing GrayPlane, _ context: inout FrameContext) throws(RecognitionError) {
        guard context.options.recognize else { return }
        let grown = self.tracks.indices.compactMap { index -> (index: Int, place: Quad)? in
            guard self.tracks[index].state == .kept else { return nil }
            return self.tracks[index].grownPlace.map { (index, $0) }
        }
        let lines = grown.map { DetectedLine($0.place, score: self.tracks[$0.index].score, in: context.frame) }
        for (line, text) in zip(grown, try context.read(lines, &self.votes)) {
            self.tracks[line.index].grow(to: text, in: line.place, of: frame)
        }
    }

    /// Reads uncertain tracks again, and a few of those that have not converged.
    mutating func reread(in frame: borrowing GrayPlane, _ context: inout FrameContext) throws(RecognitionError) {
        guard context.options.recognize else { return }
        let chosen = self.due
        let lines = chosen.map { [tracks] in
            var line = tracks[$0].detectedLine(in: context.frame)
            if tracks[$0].motion == .identity, tracks[$0].status != .uncertain {
                line.scaleHeight(by: Tuning.heightFactors[tracks[$0].vote.readCount % Tuning.heightFactors.count])
            }
            return line
        }
        for (index, text) in zip(chosen, try context.read(lines, &self.votes)) {
            if self.tracks[index].status == .uncertain {
                self.tracks[index].verify(text, in: frame)
            } else {
                self.tracks[index].add(text)
            }
        }
    }

    /// Indices of kept tracks to read again: all uncertain ones, and the first of those that have not converged.
    ///
    /// Weak tracks come first, then those with fewer readings.
    private var due: [Int] {
        func rank(_ index: Int) -> (Int, Int, Int) {
            (self.tracks[index].vote.isWeak ? 0 : 1, self.tracks[index].vote.readCount, index)
        }
        let kept = self.tracks.indices.filter { self.tracks[$0].state == .kept }
        let uncertain = kept.filter { self.tracks[$0].status == .uncertain && self.tracks[$0].isVerifiable }
        // A reading of what is visible of a line would be another text.
        let others = kept.filter { index in
            let track = self.tracks[index]
            return !track.vote.isConverged && track.status != .uncertain && !track.isPartlyHidden
        }
        let count = max(Tuning.minReread, self.tracks.count / Tuning.rereadDivisor)
        return uncertain + others.sorted { rank($0) < rank($1) }.prefix(count)
    }
}
