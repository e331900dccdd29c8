package import FrameCodecs
package import GlyphwireProtocol
package import TextEngine

/// Reads a live stream, and leaves out what earlier frames have told already.
///
/// What a frame shows unchanged is kept. Where it changed, text is looked for and read again; all of it is looked at when
/// the scene changes, and from time to time. The same frames, times and options give the same result. One for each stream;
/// it belongs to one thread at a time.
package final class TextStream {
    /// What a change of it makes a new stream.
    private struct Setting: Equatable {
        var width: Int
        var height: Int
        var orientation: Orientation
        var options: ReadingOptions
    }

    private var setting: Setting?
    private var current = GrayPlane()
    /// The frame that all text was last told from, brought up to date where parts were looked at again.
    private var reference = GrayPlane()
    private var changes = ChangeMap()
    private var tracks: [Track] = []
    private var votes = DirectionVotes()
    /// When the whole frame was last looked at.
    private var lookedAt: Duration?
    private var nextID: UInt64 = 1
    private var toldIDs: [UInt64] = []
    private let clock = ContinuousClock()

    /// Text is looked for this many pixels around what changed: a network needs to see where letters end.
    private static let margin = 24
    /// When looking at the changed parts costs more than this fraction of looking at the whole frame, all of it is.
    private static let mostParts: Float = 0.6

    /// A stream of which nothing is known yet.
    package init() {}

    /// Reads the next frame.
    ///
    /// - Parameters:
    ///   - pixels: The picture as it was sent.
    ///   - orientation: How it must be turned to stand upright.
    ///   - options: What the client wants to know.
    ///   - refresh: The longest time between two looks at the whole frame.
    ///   - time: When the frame was taken, on any clock that runs forward.
    ///   - reader: What finds and reads text.
    /// - Returns: The text of the frame.
    /// - Throws: ``WireError`` when an option cannot be honoured or inference fails; the stream then starts anew.
    package func read(
        _ pixels: PixelView,
        orientation: Orientation,
        options: ReadingOptions,
        refresh: Duration,
        at time: Duration,
        with reader: any PartReader
    ) throws(WireError) -> StreamReading {
        let start = self.clock.now
        var work = Work(reader: reader, frame: UprightFrame(pixels, orientation: orientation), options: options)
        for index in self.tracks.indices { self.tracks[index].state = .kept }
        do throws(WireError) {
            self.current.load(pixels)
            try self.follow(time, refresh, &work)
            try self.confirm(&work)
        } catch {
            self.forget()
            throw error
        }
        let elapsed = self.clock.now - start
        return self.tell(work.frame, isReused: !work.hasRun, detect: elapsed - work.recognize, recognize: work.recognize)
    }

    /// Brings the tracks up to date with the frame in ``current``.
    private func follow(_ time: Duration, _ refresh: Duration, _ work: inout Work) throws(WireError) {
        let setting = Setting(
            width: self.current.width,
            height: self.current.height,
            orientation: work.frame.orientation,
            options: work.options
        )
        guard setting == self.setting, let lookedAt = self.lookedAt, time >= lookedAt else {
            self.forget()
            self.setting = setting
            return try self.readAll(kept: [], time, &work)
        }
        let brightness = Brightness(from: self.reference, to: self.current)
        self.changes.compare(self.reference, self.current, brightness: brightness)
        if self.changes.changedCount == 0, time - lookedAt < refresh || self.changes.isExact { return }
        let kept = self.tracks.map { !self.changes.hasChanged(in: $0.line.box) }
        if time - lookedAt >= refresh { return try self.readAll(kept: kept, time, &work) }
        var parts = self.changes.changedBoxes()
        for (track, isKept) in zip(self.tracks, kept) where !isKept { parts.append(Box(around: track.place, margin: 0)) }
        parts = parts.map { $0.expanded(by: Self.margin).clipped(to: work.sentRegion) }
        let cost = parts.merge { work.cost(of: $0) }
        if cost > Self.mostParts { return try self.readAll(kept: kept, time, &work) }
        try self.read(parts, kept: kept, &work)
        self.reference.update(where: self.changes, from: self.current, brightness: brightness)
    }
}

extension TextStream {
    /// Looks at the whole frame; lines whose pixels are known are not read again.
    private func readAll(kept: [Bool], _ time: Duration, _ work: inout Work) throws(WireError) {
        let found = try work.find(nil)
        var isSeen = [Bool](repeating: false, count: kept.count)
        var unknown: [DetectedLine] = []
        for line in found {
            let place = work.frame.sent(line.rect.quad)
            let known = kept.indices.first { kept[$0] && !isSeen[$0] && self.tracks[$0].place.overlap(with: place) > 0.6 }
            if let known { isSeen[known] = true } else { unknown.append(line) }
        }
        for index in kept.indices where kept[index] {
            if isSeen[index] { self.tracks[index].wasSeen() } else { self.tracks[index].wasMissed() }
        }
        try self.replace(kept.indices.map { kept[$0] && !self.tracks[$0].isDoubtful }, by: unknown, &work)
        self.lookedAt = time
        self.reference.copy(self.current)
    }

    /// Looks at parts of the frame, in which lines that are not kept are found again or lost.
    private func read(_ parts: [Box], kept: [Bool], _ work: inout Work) throws(WireError) {
        var found: [DetectedLine] = []
        for part in parts { found += try work.find(part) }
        found.sort { $0.rect.width * $0.rect.height > $1.rect.width * $1.rect.height }
        try self.replace(kept, by: found, &work)
    }

    /// Puts the lines that are read at new places beside the tracks that are kept.
    private func replace(_ kept: [Bool], by found: [DetectedLine], _ work: inout Work) throws(WireError) {
        var tracks = kept.indices.filter { kept[$0] }.map { self.tracks[$0] }
        var gone = kept.indices.filter { !kept[$0] }.flatMap { index in
            zip(self.tracks[index].line.words, self.tracks[index].wordIDs).map { (word: $0, id: $1) }
        }
        let keptCount = tracks.count
        var isReplaced = [Bool](repeating: false, count: keptCount)
        for line in found {
            let place = work.frame.sent(line.rect.quad)
            let covered = tracks.map { $0.place.sharedArea(with: place) }
            // A line that is known for the most part was found again; a line that has grown is read as a whole.
            if covered.reduce(0, +) > 0.6 * place.area { continue }
            guard let text = try work.read(line, &self.votes) else { continue }
            for index in 0..<keptCount where covered[index] > 0.5 * tracks[index].place.area {
                isReplaced[index] = true
            }
            tracks.append(Track(text, region: place, score: line.score))
        }
        for index in 0..<keptCount where isReplaced[index] {
            gone += zip(tracks[index].line.words, tracks[index].wordIDs).map { (word: $0, id: $1) }
        }
        for index in keptCount..<tracks.count {
            let ids = WordIDs.inherited(by: tracks[index].best.words, from: gone, isSameText: true)
            tracks[index].wordIDs = ids
            gone.removeAll { ids.contains($0.id) }
            tracks[index].state = ids.contains { $0 != WordIDs.none } ? .read : .new
        }
        self.tracks = tracks.indices.filter { $0 >= keptCount || !isReplaced[$0] }.map { tracks[$0] }
    }

    /// Reads lines again whose text is not settled yet, a few in each frame.
    private func confirm(_ work: inout Work) throws(WireError) {
        guard work.options.recognize else { return }
        let waiting = self.tracks.indices.filter { !self.tracks[$0].isSettled && self.tracks[$0].state == .kept }
            .sorted { (self.tracks[$0].readCount, $0) < (self.tracks[$1].readCount, $1) }
        for index in waiting.prefix(max(2, self.tracks.count / 8)) {
            let track = self.tracks[index]
            self.tracks[index].count(
                try work.read(DetectedLine(track.place, score: track.score, in: work.frame), &self.votes)
            )
        }
    }

    private func forget() {
        self.setting = nil
        self.lookedAt = nil
        self.tracks = []
        self.votes = DirectionVotes()
    }

    /// Numbers new words and puts the lines in order.
    private func tell(
        _ frame: UprightFrame,
        isReused: Bool,
        detect: Duration,
        recognize: Duration
    ) -> StreamReading {
        for index in self.tracks.indices {
            for word in self.tracks[index].wordIDs.indices where self.tracks[index].wordIDs[word] == WordIDs.none {
                self.tracks[index].wordIDs[word] = self.nextID
                self.nextID += 1
            }
        }
        let lines = self.tracks.map(\.told)
        let order = ReadingOrder.sorted(lines.map { frame.upright($0.box) })
        let ids = self.tracks.flatMap(\.wordIDs).sorted()
        let lost = Set(self.toldIDs).subtracting(ids).sorted()
        self.toldIDs = ids
        return StreamReading(
            lines: order.map { lines[$0] },
            lost: lost,
            isReused: isReused,
            detect: detect,
            recognize: recognize
        )
    }
}
