package import ImageCodecs
package import TextModel
package import TextRecognition

/// Reads a live stream, and leaves out what earlier frames have reported already.
///
/// What a frame shows unchanged is kept. Where it changed, text is looked for and read again; all of it is scanned when
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
    private var turn = OrientationTracker()
    private var current = Pyramid()
    /// The frame that all text was last reported from, brought up to date where parts were looked at again.
    private var keyframe = Pyramid()
    /// Of the keyframe, once it is needed.
    private var extrema = LocalExtrema()
    private var hasExtrema = false
    private var changes = ChangeMap()
    private var camera = CameraMotion()
    private var matcher = LineMatcher()
    /// From the keyframe to the latest frame.
    private var motion = Affine.identity
    /// What had come into view at the keyframe's edges, and text was not yet looked for.
    private var border = DisoccludedBorder()
    private var text = TrackedText()
    private var backOff = BackOffRegions()
    /// When the whole frame was last scanned.
    private var scannedAt: Duration?
    private let clock = ContinuousClock()

    /// Text is looked for this many pixels around what changed: a network needs to see where letters end.
    private static let margin = 24
    /// When scanning the changed parts costs more than this fraction of scanning the whole frame, all of it is.
    private static let mostParts: Float = 0.6

    /// When a camera moves, more cells change than this fraction of those that show anything.
    private static let fewChanges: Float = 0.1
    /// A camera whose picture moved by less than so many pixels stood still.
    private static let still: Float = 0.15
    /// Text is looked for in what comes into view once it is so deep.
    private static let stripDepth: Float = 12
    /// A line that differs by more may say something else, as far as its pixels show, and is read again where it is.
    private static let sureDifference: Float = 0.14
    /// A line that differs by more, or is less alike, says something else or is gone.
    private static let mostDifference: Float = 0.2
    private static let leastLikeness: Float = 0.6

    /// A stream of which nothing is known yet.
    package init() {}

    /// How much memory the frames take that the next one is compared with.
    package var byteCount: Int { self.current.byteCount + self.keyframe.byteCount }

    /// Whether some text is not reported before the next full scan, which a frame that shows the same is not spared.
    package var awaitsFullScan: Bool { self.text.tracks.contains(where: \.awaitsFullScan) }

    /// Lets go of that memory: the next frame is read by itself, and its words get new ids.
    package func release() {
        self.forget()
        self.current = Pyramid()
        self.keyframe = Pyramid()
    }

    /// Reads the next frame.
    ///
    /// - Parameters:
    ///   - pixels: The picture as it was sent.
    ///   - orientation: How it must be turned to stand upright.
    ///   - options: What the client wants to know.
    ///   - refresh: The longest time between two full scans.
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
        var context = FrameContext(
            reader: reader,
            frame: UprightFrame(pixels, orientation: orientation),
            options: options
        )
        self.text.nextFrame()
        do throws(RecognitionError) {
            try self.turn.turn(&context, at: time)
            self.current.full.load(pixels)
            self.current.fullChanged()
            try self.readLines(refresh, at: time, &context)
            if try self.turn.turn(&context, asTextStandsIn: self.text.tracks, refresh: refresh, at: time) {
                try self.readLines(refresh, at: time, &context)
                self.turn.wasReadAgain(self.text.tracks, in: context.frame)
            }
        } catch {
            self.forget()
            throw error
        }
        let elapsed = self.clock.now - start
        let (lines, lost) = self.text.report(context.frame, at: time)
        return StreamReading(
            lines: lines,
            orientation: context.frame.orientation,
            lost: lost,
            isReused: !context.hasRun && self.backOff.skipped.isEmpty,
            detect: elapsed - context.recognize,
            recognize: context.recognize
        )
    }

    /// Brings all text up to date with the frame in ``current``.
    private func readLines(_ refresh: Duration, at time: Duration, _ context: inout FrameContext)
        throws(RecognitionError)
    {
        try self.follow(until: time, refresh: refresh, &context)
        try self.text.confirm(in: self.current.full, &context)
    }

    /// Brings the tracks up to date with the frame in ``current``.
    private func follow(until time: Duration, refresh: Duration, _ context: inout FrameContext) throws(RecognitionError)
    {
        let setting = Setting(
            width: self.current.full.width,
            height: self.current.full.height,
            orientation: context.frame.orientation,
            options: context.options
        )
        guard setting == self.setting, let scannedAt = self.scannedAt, time >= scannedAt else {
            self.forget()
            self.setting = setting
            return try self.readAll(time, &context)
        }
        let isDue = time - scannedAt >= refresh
        let before = self.backOff
        self.backOff = BackOffRegions()
        if self.motion == .identity {
            let brightness = Brightness(from: self.keyframe.full, to: self.current.full)
            self.changes.compare(self.keyframe.full, self.current.full, brightness: brightness)
            if self.changes.changedCount == 0 {
                if !isDue || self.changes.isIdentical && !self.awaitsFullScan { return }
                return try self.readAll(time, &context)
            }
            let isMoving = Float(self.changes.changedCount) > Self.fewChanges * Float(self.changes.texturedCount)
            guard isMoving, let motion = self.cameraMotion() else {
                return try self.followStill(brightness, isDue: isDue, after: before, at: time, &context)
            }
            try self.followMoving(motion, isDue: isDue, at: time, &context)
        } else if let motion = self.cameraMotion() {
            try self.followMoving(motion, isDue: isDue, at: time, &context)
        } else {
            for index in self.text.tracks.indices { self.find(index, moved: .identity) }
            try self.readAll(time, &context)
        }
    }

    /// How the camera moved since the keyframe; `nil` where it stood still or shows something else.
    private func cameraMotion() -> Affine? {
        self.keyframe.reduce()
        self.current.reduce()
        let motion = self.camera.estimate(from: self.keyframe, to: self.current, prediction: self.motion)
        guard let motion else { return nil }
        let (width, height) = (Float(self.current.full.width), Float(self.current.full.height))
        let isStill =
            self.motion == .identity && motion.distance(from: .identity, width: width, height: height) < Self.still
        return isStill ? nil : motion
    }
}

extension TextStream {
    /// Reads what changed in front of a camera that stands still, but for what was scanned in vain in the frame before: what
    /// moves there and is no text is scanned every second time.
    private func followStill(
        _ brightness: Brightness,
        isDue: Bool,
        after before: BackOffRegions,
        at time: Duration,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        if isDue {
            self.compareLines()
            return try self.readAll(time, &context)
        }
        self.cutLines(context.options)
        let lost = self.text.tracks.lost
        let places = lost.map(\.bounds)
        let region = context.sentRegion
        let parts = self.parts(with: places, in: region)
        if context.cost(of: parts) > Self.mostParts {
            // Where a scene is cut, next to nothing is noise: what seems unchanged is reported by its own pixels.
            for index in self.text.tracks.indices where self.text.tracks[index].status != .lost {
                self.find(index, moved: .identity)
            }
            return try self.readAll(time, &context)
        }
        self.backOff = BackOffRegions(parts, after: before, changedText: places)
        // What is not scanned stays changed.
        for part in self.backOff.skipped { self.changes.clear(in: Quad(part)) }
        var found = try self.lines(in: self.backOff.scanned, &context)
        self.removeEdges(from: &found, beside: lost, in: region)
        try self.replaceLost(by: found, in: self.backOff.scanned, &context)
        self.backOff.record(text: places + self.text.tracks.filter { $0.state == .new }.map(\.bounds))
        self.keyframe.full.update(where: self.changes, from: self.current.full, brightness: brightness)
        self.keyframe.fullChanged()
        self.keyframeChanged()
    }

    /// Carries lines along with a camera that moved, and reads what changed or came into view.
    private func followMoving(
        _ motion: Affine,
        isDue: Bool,
        at time: Duration,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        let step = self.motion.inverse?.then(motion) ?? .identity
        for index in self.text.tracks.indices { self.find(index, moved: step) }
        self.text.move(by: step)
        self.motion = motion
        if isDue { return try self.readAll(time, &context) }
        if !self.hasExtrema {
            self.extrema.filter(self.keyframe.half)
            self.hasExtrema = true
        }
        let size = (width: self.current.full.width, height: self.current.full.height)
        self.changes.compare(
            self.extrema,
            self.current.half,
            size: size,
            motion: motion,
            brightness: Brightness(from: self.keyframe.full, to: self.current.full, motion: motion)
        )
        for track in self.text.tracks where track.status != .lost { self.changes.clear(in: track.place) }
        let border = DisoccludedBorder(uncoveredBy: motion, width: size.width, height: size.height, after: self.border)
        let strips = border.maxDepth >= Self.stripDepth ? border.strips(width: size.width, height: size.height) : []
        // What comes into view may be more of a line that the edge cut off, though that has moved away from the edge since.
        let cut = self.text.tracks.filter(\.isCut).map(\.bounds).filter { place in
            strips.contains(where: place.expanded(by: Self.margin).touches)
        }
        let lost = self.text.tracks.lost
        let parts = self.parts(with: lost.map(\.bounds) + strips + cut, in: context.sentRegion)
        guard !parts.isEmpty else { return }
        if context.cost(of: parts) > Self.mostParts { return try self.readAll(time, &context) }
        let found = try self.lines(in: parts, &context)
        try self.replaceLost(by: found, in: parts, &context)
        self.text.tracks.distrustCharacters(insteadOf: lost.filter { !$0.awaitsFullScan })
        self.takeKeyframe()
        if strips.isEmpty { self.border = border }
    }

    /// Cuts lines of which some words changed, but where other readings are asked for, which are those of a whole line.
    private func cutLines(_ options: ReadingOptions) {
        guard options.candidates < 2 else { return self.compareLines() }
        self.text.tracks = self.text.tracks.flatMap { track in
            self.isUnchanged(track)
                ? [track] : track.pieces(in: self.current.full, isChanged: self.changes.hasChanged)
        }
    }

    /// Loses the lines whose place changed in front of a camera that stands still.
    private func compareLines() {
        for index in self.text.tracks.indices where !self.isUnchanged(self.text.tracks[index]) {
            self.text.tracks[index].status = .lost
        }
    }

    /// Whether a line shows what it showed, in front of a camera that stands still.
    private func isUnchanged(_ track: Track) -> Bool { !self.changes.hasChanged(in: track.line.reach) }

    /// Removes what is no line but the edge of something that moves: what a part of the frame cuts off on either side, where
    /// no text was known.
    ///
    /// It stays changed: what comes up strip by strip, however large, is scanned as a whole in the end.
    private func removeEdges(from found: inout [FoundLine], beside lost: [Track], in region: Box) {
        let edges = found.map(\.whole).filter { line in
            let parts = self.backOff.scanned.filter { $0.contains(line.centre) }
            return !parts.isEmpty && parts.allSatisfy { $0.cutsAcross(line, in: region) }
                && !lost.contains { $0.place.intersectionArea(with: line) > 0 }
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

    /// Matches a line where it moved with the camera, or stayed, and sets its status.
    private func find(_ index: Int, moved step: Affine) {
        self.current.reduce()
        let before = self.text.tracks[index].motion
        for guess in step == .identity ? [before] : [before.then(step), before] {
            guard let match = self.matcher.match(self.text.tracks[index].patch, in: self.current, prediction: guess)
            else {
                continue
            }
            if match.difference < Self.mostDifference, match.correlation > Self.leastLikeness {
                self.text.tracks[index].motion = match.motion
                self.text.tracks[index].status = match.difference > Self.sureDifference ? .uncertain : .matched
                return
            }
        }
        self.text.tracks[index].motion = before.then(step)
        self.text.tracks[index].status = .lost
    }

    /// Takes the current frame, all of whose text is known, for the keyframe of those to come.
    private func takeKeyframe() {
        self.keyframe.full.copy(self.current.full)
        self.keyframe.fullChanged()
        self.motion = .identity
        self.border = DisoccludedBorder()
        self.keyframeChanged()
    }

    private func keyframeChanged() {
        self.camera.keyframeChanged()
        self.hasExtrema = false
    }
}

extension TextStream {
    /// Scans the whole frame; lines whose pixels are known are not read again.
    private func readAll(_ time: Duration, _ context: inout FrameContext) throws(RecognitionError) {
        // Another scene: what was illegible where its lines are says nothing about them.
        if self.text.tracks.allSatisfy({ $0.status == .lost }) { self.text.sceneChanged() }
        let found = try context.find(nil).map { FoundLine($0, in: context.frame) }
        try self.replaceLost(by: found, in: nil, &context)
        self.scannedAt = time
        self.takeKeyframe()
    }

    /// Looks for lines in parts of the frame.
    private func lines(in parts: [Box], _ context: inout FrameContext) throws(RecognitionError) -> [FoundLine] {
        var found = try context.find(parts)
        found.sort { $0.rect.width * $0.rect.height > $1.rect.width * $1.rect.height }
        return found.flatMap { FoundLine.stretches(of: $0, beside: self.text.tracks, in: context.frame) }
    }

    /// Reads lines that were found beside the tracks that are kept; see ``TrackedText``.
    private func replaceLost(
        by found: [FoundLine],
        in parts: [Box]?,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        try self.text.replaceLost(by: found, in: parts, skipped: self.backOff.skipped, of: self.current.full, &context)
    }

    private func forget() {
        self.setting = nil
        self.scannedAt = nil
        self.motion = .identity
        self.text.forget()
        self.backOff = BackOffRegions()
    }
}
