package import ImageCodecs
package import TextModel
package import TextRecognition

/// Tracker of the text in a live stream, which reads only what earlier frames do not show.
///
/// Text at unchanged places is kept. Changed regions are scanned, and their lines are read again; the whole frame is scanned
/// when the scene changes, and from time to time. The same frames, times and options give the same result. A stream
/// has one, or one for each of its named regions; it belongs to one thread at a time.
package final class TextStream {
    private enum Tuning {
        /// Share of the textured cells that change at least when a camera moves.
        ///
        /// Without it, half of the frames before a fixed camera were taken for moved by a fifth of a pixel (streams log, *Earlier
        /// experiments*). The value was chosen by eye.
        static let minMovingShare: Float = 0.1
        /// Largest displacement of a picture's corner with which the camera stands still, in pixels; chosen by eye.
        static let maxStillDisplacement: Float = 0.15
        /// Largest share of the tracks that may be lost and missed by the scan of regions, before the whole frame is scanned.
        ///
        /// Small print that a zoom enlarged was lost as a whole, and nothing showed a change there (streams log, *Detections around
        /// lines*).
        static let maxMissedShare: Float = 0.3
        /// Depth of a disoccluded border from which it is scanned, in pixels; chosen by eye.
        static let minBorderDepth: Float = 12
    }

    /// Setting of a stream, which restarts when it changes.
    private struct Setting: Equatable {
        var width: Int
        var height: Int
        var orientation: Orientation
        var options: ReadingOptions
    }

    private var setting: Setting?
    private var orientation = OrientationTracker()
    var current = Pyramid()
    /// Keyframe: the frame of the last scan, updated where regions were scanned since.
    var keyframe = Pyramid()
    /// Local extrema of the keyframe, once they are needed.
    private var extrema = LocalExtrema()
    private var hasExtrema = false
    var changes = ChangeMap()
    private var camera = CameraMotion()
    var matcher = LineMatcher()
    /// Motion from the keyframe to the latest frame.
    private var motion = Affine.identity
    /// Disoccluded border that is not scanned yet.
    private var border = DisoccludedBorder()
    var text = TrackedText()
    var backOff = BackOffRegions()
    var proposals = ProposalBackOff()
    var rescans = RescanSchedule()
    var regionRescans = RegionRescans()
    /// Frames in a row before a still camera of which most has changed.
    var restlessFrames = 0
    var matchBackOff = MatchBackOff()
    /// Time of the last full scan.
    var scannedAt: Duration?
    /// Time of the last full scan that was made for single characters before a still camera.
    private var confirmedAt: Duration?
    var coverage = Coverage.partial
    private let clock = ContinuousClock()

    /// Creates the tracker of a stream.
    package init() {}

    /// Memory that it holds, in bytes: the keyframe, the latest frame, what they are compared with, and the tracks' templates.
    package var byteCount: Int {
        self.current.byteCount + self.keyframe.byteCount + self.extrema.byteCount + self.changes.byteCount
            + self.text.tracks.reduce(0) { $0 + $1.template.byteCount } + self.text.hidden.byteCount
    }

    /// Least id for a new word; it only grows.
    var nextID: UInt64 {
        get { self.text.nextID }
        set { self.text.nextID = max(self.text.nextID, newValue) }
    }

    /// Lines of all tracks in the latest frame.
    private var lines: [TextLine] { self.text.tracks.map(\.line) }

    /// Releases that memory: the next frame is read by itself, and its words get new ids.
    ///
    /// The orientation is that of the camera, and stays until text contradicts it.
    package func release() {
        self.reset()
        self.current = Pyramid()
        self.keyframe = Pyramid()
        self.extrema = LocalExtrema()
        self.changes = ChangeMap()
        self.keyframeChanged()
    }

    /// Reads the next frame.
    ///
    /// - Parameters:
    ///   - pixels: The picture as it was sent.
    ///   - orientation: The orientation in which it is upright.
    ///   - options: The client's options.
    ///   - refresh: The longest time between two full scans.
    ///   - time: The time of the frame, on any clock that runs forward.
    ///   - reader: The detector and recognizer of text.
    /// - Returns: The text of the frame.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails; the stream then restarts.
    package func read(
        _ pixels: PixelView,
        orientation: Orientation,
        options: ReadingOptions,
        refresh: Duration,
        at time: Duration,
        with reader: any RegionReader
    ) throws(RecognitionError) -> StreamReading {
        let start = self.clock.now
        var context = FrameContext(
            reader: reader,
            frame: UprightFrame(pixels, orientation: orientation),
            options: options
        )
        self.text.nextFrame(at: time, refresh: refresh)
        self.matchBackOff.nextFrame()
        self.regionRescans.nextFrame()
        do throws(RecognitionError) {
            try self.orientation.turn(&context, at: time)
            self.current.full.load(pixels)
            self.current.fullChanged()
            try self.update(until: time, refresh: refresh, &context)
            if context.hasRun, try self.orientation.turn(&context, by: self.lines, refresh: refresh, at: time) {
                try self.update(until: time, refresh: refresh, &context)
                self.orientation.wasReadAgain(self.lines, in: context.frame)
            }
        } catch {
            self.reset()
            throw error
        }
        let elapsed = self.clock.now - start
        return StreamReading(
            lines: self.text.report(context, at: time),
            orientation: context.frame.orientation,
            isReused: !context.hasRun && self.backOff.skipped.isEmpty,
            detect: elapsed - context.recognize,
            recognize: context.recognize,
            work: context.work
        )
    }

    /// Updates all text by the frame in ``current``.
    private func update(until time: Duration, refresh: Duration, _ context: inout FrameContext)
        throws(RecognitionError)
    {
        try self.track(until: time, refresh: refresh, &context)
        try self.text.readGrown(in: self.current.full, &context)
        try self.text.reread(in: self.current.full, &context)
        try self.text.resolveOverlaps(in: self.current.full, &context)
    }

    /// Updates the tracks by the frame in ``current``.
    private func track(until time: Duration, refresh: Duration, _ context: inout FrameContext) throws(RecognitionError)
    {
        let setting = Setting(
            width: self.current.full.width,
            height: self.current.full.height,
            orientation: context.frame.orientation,
            options: context.options
        )
        guard setting == self.setting, let scannedAt = self.scannedAt, time >= scannedAt else {
            self.reset()
            self.setting = setting
            return try self.scanAll(time, &context)
        }
        let coverage = self.coverage
        self.coverage = .partial
        if try self.follow(at: time, refresh: refresh, &context) { self.coverage = coverage }
        // A full scan misses what a scan of a small region detects, so it only adds to what has been followed.
        let isDue = time - scannedAt >= refresh && self.scannedAt != time
        guard isDue, self.awaitsFullScan else { return }
        // What changed too little for the cells may still be other text, and becomes the keyframe.
        for index in self.text.tracks.indices where self.text.tracks[index].status == .matched {
            self.match(index, after: .identity)
            if self.text.tracks[index].faintChanges.isPending { self.text.tracks[index].wasCompared(.text) }
        }
        try self.scanAll(time, &context)
    }

    /// Follows the tracks to the frame in ``current``, and scans what has changed.
    ///
    /// - Returns: Whether not a pixel differs from the keyframe.
    private func follow(at time: Duration, refresh: Duration, _ context: inout FrameContext) throws(RecognitionError)
        -> Bool
    {
        let previous = self.backOff
        self.backOff = BackOffRegions()
        if self.motion == .identity {
            let brightness = Brightness(from: self.keyframe.full, to: self.current.full)
            self.changes.compare(self.keyframe.full, self.current.full, brightness: brightness)
            if self.changes.changedCount == 0 {
                self.restlessFrames = 0
                self.updateKeyframe(in: self.verifyFaintChanges(context.options), brightness)
                return self.changes.isIdentical
            }
            let isMoving = Float(self.changes.changedCount) > Tuning.minMovingShare * Float(self.changes.texturedCount)
            guard isMoving, let motion = self.cameraMotion() else {
                try self.trackStill(brightness, after: previous, at: time, &context)
                try self.confirmCharacters(at: time, refresh: refresh, &context)
                return false
            }
            try self.trackMoving(motion, at: time, &context)
        } else if let motion = self.cameraMotion() {
            try self.trackMoving(motion, at: time, &context)
        } else {
            self.restlessFrames = 0
            self.text.hidden.removeAll()
            self.matchAll(after: .identity)
            try self.scanCoarsely(at: time, &context)
        }
        return false
    }

    /// Camera motion since the keyframe; `nil` where it stood still or shows another scene.
    private func cameraMotion() -> Affine? {
        self.keyframe.reduce()
        self.current.reduce()
        let motion = self.camera.estimate(from: self.keyframe, to: self.current, prediction: self.motion)
        guard let motion else { return nil }
        let (width, height) = (Float(self.current.full.width), Float(self.current.full.height))
        let isStill =
            self.motion == .identity
            && motion.distance(from: .identity, width: width, height: height) < Tuning.maxStillDisplacement
        return isStill ? nil : motion
    }

    private func reset() {
        self.setting = nil
        self.scannedAt = nil
        self.confirmedAt = nil
        self.motion = .identity
        self.restlessFrames = 0
        self.changes.forgetNoise()
        self.text.reset()
        self.backOff = BackOffRegions()
        self.proposals = ProposalBackOff()
        self.rescans.restart()
        self.regionRescans.removeAll()
        self.matchBackOff = MatchBackOff()
    }
}

extension TextStream {
    /// Tracks text before a still camera: scans changed regions, but for those without text in the frame before.
    ///
    /// What moves there and is no text is scanned in every second frame.
    private func trackStill(
        _ brightness: Brightness,
        after previous: BackOffRegions,
        at time: Duration,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        try self.recoverChangedLines(&context)
        let (region, whole) = (context.sentRegion, self.text.tracks)
        self.splitChangedLines(context.options)
        let lost = self.text.tracks.lost
        let lostText = lost.map(\.bounds)
        let regions = self.regions(with: lostText, context)
        if self.costsMoreThanCoarseScan(regions, context) {
            // What moves hides what has changed, and after a cut next to nothing is noise: templates verify the text.
            self.text.tracks = whole
            self.restlessFrames += 1
            for index in self.text.tracks.indices { self.matchInPlace(index) }
            return try self.scanCoarsely(at: time, &context)
        }
        self.restlessFrames = 0
        self.backOff = BackOffRegions(regions, after: previous, changedText: lostText + self.dueBounds)
        var detections = try self.detect(in: self.backOff.scanned, &context)
        self.removeMotionEdges(from: &detections, beside: lost, in: region)
        try self.associate(detections, in: self.backOff.scanned, insteadOf: lost, isStill: true, &context)
        self.leaveOutPendingPlaces()
        self.backOff.record(text: lostText + self.text.tracks.filter { $0.state == .new }.map(\.bounds))
        self.updateKeyframe(in: self.verifyFaintChanges(context.options), brightness)
    }

    /// Shows the latest frame in the keyframe where cells have changed, and in other places.
    private func updateKeyframe(in places: [Quad], _ brightness: Brightness) {
        for place in places { self.changes.mark(place) }
        guard self.changes.changedCount > 0 else { return }
        self.keyframe.full.update(where: self.changes, from: self.current.full, brightness: brightness)
        self.keyframe.fullChanged()
        self.keyframeChanged()
    }

    /// Tracks text before a moving camera: matches all tracks, and scans changed regions and the disoccluded border.
    private func trackMoving(
        _ motion: Affine,
        at time: Duration,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        self.restlessFrames = 0
        let step = self.motion.inverse?.then(motion) ?? .identity
        self.text.tracks += self.text.hidden.returning(after: step)
        self.matchAll(after: step)
        self.hideTracks(at: time)
        try self.text.recover(in: self.current.full, &context)
        self.text.move(by: step)
        self.regionRescans.move(by: step, in: context.sentRegion)
        self.proposals.move(by: step)
        self.motion = motion
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
        let strips =
            border.maxDepth >= Tuning.minBorderDepth ? border.strips(width: size.width, height: size.height) : []
        let growing = self.boundsOfGrowingLines(into: strips)
        let lost = self.text.tracks.lost
        let regions = self.regions(with: lost.map(\.bounds) + strips + growing, context)
        guard !regions.isEmpty else { return }
        if self.costsMoreThanCoarseScan(regions, context) {
            return try self.scanCoarsely(growing: growing, at: time, &context)
        }
        var detections = try self.detect(in: regions, &context)
        self.removePieces(from: &detections, in: regions, of: context.sentRegion)
        let missing = try self.associate(detections, in: regions, insteadOf: lost, &context)
        let missed = missing.filter { $0.status == .lost && $0.vote.isSure }
        if Float(missed.count) > Tuning.maxMissedShare * Float(missed.count + self.text.tracks.count) {
            // They are tracks again, so that what is read of them keeps its ids.
            self.text.tracks += missed
            return try self.scanAll(time, &context)
        }
        self.takeKeyframe()
        self.border = strips.isEmpty ? border : border.unscanned
    }

    /// Scans the whole frame for single characters that came up before a still camera, but not time and again.
    ///
    /// What moves there is often taken for one in a region of the frame.
    private func confirmCharacters(
        at time: Duration,
        refresh: Duration,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        guard self.awaitsConfirmation, self.confirmedAt.map({ time - $0 >= refresh }) ?? true else { return }
        self.confirmedAt = time
        try self.scanAll(time, &context)
    }

    /// Makes the current frame, with all of its text known, the keyframe.
    func takeKeyframe() {
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
