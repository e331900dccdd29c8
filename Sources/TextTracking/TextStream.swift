package import ImageCodecs
package import TextModel
package import TextRecognition

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
    private var turn = FrameTurn()
    private var current = Pyramid()
    /// The frame that all text was last told from, brought up to date where parts were looked at again.
    private var reference = Pyramid()
    /// Of the reference, once it is needed.
    private var range = ValueRange()
    private var hasRange = false
    private var changes = ChangeMap()
    private var camera = CameraMotion()
    private var matcher = LineMatcher()
    /// From the reference to the latest frame.
    private var motion = Affine.identity
    /// What had come into view at the reference's edges, and text was not yet looked for.
    private var unseen = EdgeDepths()
    private var text = TrackedText()
    private var resting = RestingParts()
    /// When the whole frame was last looked at.
    private var lookedAt: Duration?
    private let clock = ContinuousClock()

    /// Text is looked for this many pixels around what changed: a network needs to see where letters end.
    private static let margin = 24
    /// When looking at the changed parts costs more than this fraction of looking at the whole frame, all of it is.
    private static let mostParts: Float = 0.6

    /// When a camera moves, more cells change than this fraction of those that show anything.
    private static let fewChanges: Float = 0.1
    /// A camera whose picture moved by less than so many pixels stood still.
    private static let still: Float = 0.15
    /// Text is looked for in what comes into view once it is so deep.
    private static let stripDepth: Float = 12
    /// A line that differs by more may say something else, as far as its pixels tell, and is read again where it is.
    private static let sureDifference: Float = 0.14
    /// A line that differs by more, or is less alike, says something else or is gone.
    private static let mostDifference: Float = 0.2
    private static let leastLikeness: Float = 0.6

    /// A stream of which nothing is known yet.
    package init() {}

    /// How much memory the frames take that the next one is compared with.
    package var byteCount: Int { self.current.byteCount + self.reference.byteCount }

    /// Whether some text is not told before the next look at the whole frame, which a frame that shows the same is not spared.
    package var awaitsWholeLook: Bool { self.text.tracks.contains(where: \.awaitsWholeLook) }

    /// Lets go of that memory: the next frame is read by itself, and its words get new ids.
    package func release() {
        self.forget()
        self.current = Pyramid()
        self.reference = Pyramid()
    }

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
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails; the stream then starts anew.
    package func read(
        _ pixels: PixelView,
        orientation: Orientation,
        options: ReadingOptions,
        refresh: Duration,
        at time: Duration,
        with reader: any PartReader
    ) throws(RecognitionError) -> StreamReading {
        let start = self.clock.now
        var work = Work(reader: reader, frame: UprightFrame(pixels, orientation: orientation), options: options)
        self.text.nextFrame()
        do throws(RecognitionError) {
            try self.turn.turn(&work, at: time)
            self.current.full.load(pixels)
            self.current.fullChanged()
            try self.readLines(refresh, at: time, &work)
            if try self.turn.turn(&work, asTextStandsIn: self.text.tracks, refresh: refresh, at: time) {
                try self.readLines(refresh, at: time, &work)
                self.turn.wasReadAgain(self.text.tracks, in: work.frame)
            }
        } catch {
            self.forget()
            throw error
        }
        let elapsed = self.clock.now - start
        let (lines, lost) = self.text.tell(work.frame, at: time)
        return StreamReading(
            lines: lines,
            orientation: work.frame.orientation,
            lost: lost,
            isReused: !work.hasRun && self.resting.resting.isEmpty,
            detect: elapsed - work.recognize,
            recognize: work.recognize
        )
    }

    /// Brings all text up to date with the frame in ``current``.
    private func readLines(_ refresh: Duration, at time: Duration, _ work: inout Work) throws(RecognitionError) {
        try self.follow(time, refresh, &work)
        try self.text.confirm(in: self.current.full, &work)
    }

    /// Brings the tracks up to date with the frame in ``current``.
    private func follow(_ time: Duration, _ refresh: Duration, _ work: inout Work) throws(RecognitionError) {
        let setting = Setting(
            width: self.current.full.width,
            height: self.current.full.height,
            orientation: work.frame.orientation,
            options: work.options
        )
        guard setting == self.setting, let lookedAt = self.lookedAt, time >= lookedAt else {
            self.forget()
            self.setting = setting
            return try self.readAll(kept: [], time, &work)
        }
        let isDue = time - lookedAt >= refresh
        let before = self.resting
        self.resting = RestingParts()
        if self.motion == .identity {
            let brightness = Brightness(from: self.reference.full, to: self.current.full)
            self.changes.compare(self.reference.full, self.current.full, brightness: brightness)
            if self.changes.changedCount == 0 {
                if !isDue || self.changes.isExact && !self.awaitsWholeLook { return }
                return try self.readAll(kept: self.text.tracks.map { _ in true }, time, &work)
            }
            let isMoving = Float(self.changes.changedCount) > Self.fewChanges * Float(self.changes.busyCount)
            guard isMoving, let motion = self.cameraMotion() else {
                return try self.followStill(brightness, isDue: isDue, after: before, time, &work)
            }
            try self.followMoving(motion, isDue: isDue, time, &work)
        } else if let motion = self.cameraMotion() {
            try self.followMoving(motion, isDue: isDue, time, &work)
        } else {
            let kept = self.text.tracks.indices.map { self.find($0, moved: .identity) }
            try self.readAll(kept: kept, time, &work)
        }
    }

    /// How the camera moved since the reference; `nil` where it stood still or shows something else.
    private func cameraMotion() -> Affine? {
        self.reference.reduce()
        self.current.reduce()
        let motion = self.camera.estimate(from: self.reference, to: self.current, guess: self.motion)
        guard let motion else { return nil }
        let (width, height) = (Float(self.current.full.width), Float(self.current.full.height))
        let isStill =
            self.motion == .identity && motion.distance(from: .identity, width: width, height: height) < Self.still
        return isStill ? nil : motion
    }
}

extension TextStream {
    /// Reads what changed in front of a camera that stands still, but for what was looked at in vain in the frame before: what
    /// moves there and is no text is looked at every second time.
    private func followStill(
        _ brightness: Brightness,
        isDue: Bool,
        after before: RestingParts,
        _ time: Duration,
        _ work: inout Work
    ) throws(RecognitionError) {
        if isDue { return try self.readAll(kept: self.text.tracks.map(self.isUnchanged), time, &work) }
        let kept = self.cutLines(work.options)
        let lost = self.text.tracks.lost(kept)
        let places = lost.map(\.bounds)
        let region = work.sentRegion
        let parts = self.parts(with: places, in: region)
        if work.cost(of: parts) > Self.mostParts {
            // Where a scene is cut, next to nothing is noise: what seems unchanged is told by its own pixels.
            let kept = kept.indices.map { kept[$0] && self.find($0, moved: .identity) }
            return try self.readAll(kept: kept, time, &work)
        }
        self.resting = RestingParts(parts, after: before, changedText: places)
        // What is not looked at stays changed.
        for part in self.resting.resting { self.changes.clear(in: Quad(part)) }
        var found = try self.lines(in: self.resting.due, beside: kept, &work)
        self.removeEdges(from: &found, beside: lost, in: region)
        try self.replace(kept, by: found, in: self.resting.due, &work)
        self.resting.looked(found: places + self.text.tracks.filter { $0.state == .new }.map(\.bounds))
        self.reference.full.update(where: self.changes, from: self.current.full, brightness: brightness)
        self.reference.fullChanged()
        self.referenceChanged()
    }

    /// Carries lines along with a camera that moved, and reads what changed or came into view.
    private func followMoving(
        _ motion: Affine,
        isDue: Bool,
        _ time: Duration,
        _ work: inout Work
    ) throws(RecognitionError) {
        let step = self.motion.inverse?.then(motion) ?? .identity
        let kept = self.text.tracks.indices.map { self.find($0, moved: step) }
        self.text.move(by: step)
        self.motion = motion
        if isDue { return try self.readAll(kept: kept, time, &work) }
        if !self.hasRange {
            self.range.take(self.reference.half)
            self.hasRange = true
        }
        let size = (width: self.current.full.width, height: self.current.full.height)
        self.changes.compare(
            self.range,
            self.current.half,
            size: size,
            motion: motion,
            brightness: Brightness(from: self.reference.full, to: self.current.full, motion: motion)
        )
        for (track, isKept) in zip(self.text.tracks, kept) where isKept { self.changes.clear(in: track.place) }
        let unseen = EdgeDepths(uncoveredBy: motion, width: size.width, height: size.height, after: self.unseen)
        let strips = unseen.deepest >= Self.stripDepth ? unseen.strips(width: size.width, height: size.height) : []
        // What comes into view may be more of a line that the edge cut off, though that has moved away from the edge since.
        let cut = self.text.tracks.filter(\.isCut).map(\.bounds).filter { place in
            strips.contains(where: place.expanded(by: Self.margin).touches)
        }
        let lost = self.text.tracks.lost(kept)
        let parts = self.parts(with: lost.map(\.bounds) + strips + cut, in: work.sentRegion)
        guard !parts.isEmpty else { return }
        if work.cost(of: parts) > Self.mostParts { return try self.readAll(kept: kept, time, &work) }
        let found = try self.lines(in: parts, beside: kept, &work)
        try self.replace(kept, by: found, in: parts, &work)
        self.text.tracks.doubtCharacters(insteadOf: lost.filter { !$0.awaitsWholeLook })
        self.takeReference()
        if strips.isEmpty { self.unseen = unseen }
    }

    /// Cuts lines of which some words changed, but where other readings are asked for, which are those of a whole line;
    /// which of the tracks are kept.
    private func cutLines(_ options: ReadingOptions) -> [Bool] {
        guard options.candidates < 2 else { return self.text.tracks.map(self.isUnchanged) }
        let pieces = self.text.tracks.flatMap { track in
            self.isUnchanged(track)
                ? [(track, true)] : track.pieces(in: self.current.full, isChanged: self.changes.hasChanged)
        }
        self.text.tracks = pieces.map(\.0)
        return pieces.map(\.1)
    }

    /// Whether a line shows what it showed, in front of a camera that stands still.
    private func isUnchanged(_ track: Track) -> Bool { !self.changes.hasChanged(in: track.line.reach) }

    /// Removes what is no line but the edge of something that moves: what a part of the frame cuts off on either side, where
    /// no text was known.
    ///
    /// It stays changed: what comes up strip by strip, however large, is looked at as a whole in the end.
    private func removeEdges(from found: inout [FoundLine], beside lost: [Track], in region: Box) {
        let edges = found.map(\.whole).filter { line in
            let parts = self.resting.due.filter { $0.contains(line.centre) }
            return !parts.isEmpty && parts.allSatisfy { $0.cutsAcross(line, in: region) }
                && !lost.contains { $0.place.sharedArea(with: line) > 0 }
        }
        found.removeAll { edges.contains($0.whole) }
        for edge in edges { self.changes.clear(in: edge) }
    }

    /// Where text is looked for: what changed, and other boxes.
    private func parts(with boxes: [Box], in region: Box) -> [Box] {
        var parts = (self.changes.changedBoxes() + boxes).map { $0.expanded(by: Self.margin).clipped(to: region) }
        parts.merge()
        return parts
    }

    /// Looks for a line where it moved with the camera, or stayed; whether it is there, and says the same.
    private func find(_ index: Int, moved step: Affine) -> Bool {
        self.current.reduce()
        let before = self.text.tracks[index].motion
        for guess in step == .identity ? [before] : [before.then(step), before] {
            guard let match = self.matcher.find(self.text.tracks[index].patch, in: self.current, guess: guess) else {
                continue
            }
            if match.difference < Self.mostDifference, match.likeness > Self.leastLikeness {
                self.text.tracks[index].motion = match.motion
                self.text.tracks[index].isUncertain = match.difference > Self.sureDifference
                return true
            }
        }
        self.text.tracks[index].motion = before.then(step)
        return false
    }

    /// Takes the current frame, all of whose text is known, for the reference of those to come.
    private func takeReference() {
        self.reference.full.copy(self.current.full)
        self.reference.fullChanged()
        self.motion = .identity
        self.unseen = EdgeDepths()
        self.referenceChanged()
    }

    private func referenceChanged() {
        self.camera.referenceChanged()
        self.hasRange = false
    }
}

extension TextStream {
    /// Looks at the whole frame; lines whose pixels are known are not read again.
    private func readAll(kept: [Bool], _ time: Duration, _ work: inout Work) throws(RecognitionError) {
        // Another scene: what was illegible where its lines are tells nothing about them.
        if !kept.contains(true) { self.text.sceneChanged() }
        let found = try work.find(nil).map { FoundLine($0, in: work.frame) }
        try self.replace(kept, by: found, in: nil, &work)
        self.lookedAt = time
        self.takeReference()
    }

    /// Looks for lines in parts of the frame.
    private func lines(in parts: [Box], beside kept: [Bool], _ work: inout Work) throws(RecognitionError) -> [FoundLine]
    {
        var found = try work.find(parts)
        found.sort { $0.rect.width * $0.rect.height > $1.rect.width * $1.rect.height }
        return found.flatMap { FoundLine.stretches(of: $0, beside: self.text.tracks, kept: kept, in: work.frame) }
    }

    /// Reads lines that were found beside the tracks that are kept; see ``TrackedText``.
    private func replace(
        _ kept: [Bool],
        by found: [FoundLine],
        in parts: [Box]?,
        _ work: inout Work
    ) throws(RecognitionError) {
        try self.text.replace(kept, by: found, in: parts, butNotIn: self.resting.resting, of: self.current.full, &work)
    }

    private func forget() {
        self.setting = nil
        self.lookedAt = nil
        self.motion = .identity
        self.text.forget()
        self.resting = RestingParts()
    }
}
