internal import TextModel
internal import TextRecognition

/// Scans of whole frames, and of regions of them.
extension TextStream {
    private enum Tuning {
        /// Margin of the regions around changes in pixels: a network needs to see where letters end; chosen by eye.
        static let margin = 24
        /// Cost of regions, relative to the whole frame, above which the whole frame is scanned instead; chosen by eye.
        static let maxRegionCost: Float = 0.6
        /// The same where no text is tracked: a coarse scan, at a fourth of a full one's cost, mostly shows that no text is there.
        ///
        /// With text tracked it saved no time in the mean of twelve clips (streams log, *Work that does not pay*).
        static let maxRegionCostWithoutText: Float = 0.35
    }

    /// Scans the whole frame; detections of matched tracks are not read again.
    func scanAll(_ time: Duration, _ context: inout FrameContext) throws(RecognitionError) {
        let earlier = self.text.tracks
        // No track is matched: another scene, or nothing is tracked yet.
        let isOtherScene = earlier.allSatisfy { $0.status == .lost }
        if isOtherScene {
            self.text.sceneChanged()
            self.regionRescans.removeAll()
            self.proposals = ProposalBackOff()
        }
        let detections = try context.detect(in: nil).map { Detection($0, in: context.frame) }
        try self.associate(detections, in: nil, &context)
        let hasText = !self.text.tracks.isEmpty
        // A frame without text after another may show the same scene.
        if isOtherScene, hasText || !earlier.isEmpty { self.rescans.restart() }
        self.rescans.recordScan(hasText: hasText)
        self.recordScan(in: nil, earlier: isOtherScene ? [] : earlier, context)
        self.scannedAt = time
        self.coverage = self.text.waiting.isEmpty ? .full : .partial
        self.takeKeyframe()
    }

    /// Scans a frame of which most has changed: coarsely, and closely where text may be that no matched track explains.
    ///
    /// If every track was lost, or a full scan is due (``RescanSchedule``), the whole frame is scanned.
    ///
    /// - Parameters:
    ///   - growing: The bounds of lines of which the frame may show more; the boxes of a coarse scan are too rough to show it.
    ///   - time: The time of the frame.
    ///   - context: The frame's recognition.
    /// - Throws: ``RecognitionError`` when inference fails.
    func scanCoarsely(
        growing: [Box] = [],
        at time: Duration,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        try self.text.recover(in: self.current.full, &context)
        let lost = self.text.tracks.lost
        let isCut = !self.text.tracks.isEmpty && lost.count == self.text.tracks.count
        self.rescans.nextFrame(hasText: !self.text.tracks.isEmpty)
        if isCut || self.rescans.isDue { return try self.scanAll(time, &context) }
        let matched = self.text.tracks.filter { $0.status != .lost }.map(\.place) + self.text.hidden.places
        let proposals = try context.propose().filter { !$0.place.isExplained(by: matched) }
        let due = self.proposals.due(proposals, beside: lost.map(\.place))
        let boxes = lost.map(\.bounds) + growing + due.map(\.bounds) + self.dueBounds
        let regions = Self.regions(around: boxes, in: context.sentRegion)
        if let detections = try self.detectWholeLines(in: regions, beside: matched, &context) {
            let isFirst = self.text.tracks.isEmpty
            try self.associate(detections, in: regions, insteadOf: lost, &context)
            let hasNew = self.text.tracks.contains { $0.state == .new && !$0.isTentative }
            if hasNew { self.rescans.restart() }
            // The first text of a scene hardly ever comes alone.
            if hasNew, isFirst { try self.scanAll(time, &context) } else { self.takeKeyframe() }
        } else {
            try self.scanAll(time, &context)
        }
        self.proposals.record(proposals, scanned: due, text: self.text.tracks.map(\.place))
    }

    /// Detects lines in regions of the frame, without what the regions cut off of illegible ones.
    ///
    /// - Returns: The lines; `nil` where the regions cut off another one, so that only a full scan shows all of it, or where
    ///   they cost nearly as much.
    private func detectWholeLines(
        in regions: [Box],
        beside matched: [Quad],
        _ context: inout FrameContext
    ) throws(RecognitionError) -> [Detection]? {
        if self.costsLikeFullScan(regions, context) { return nil }
        let detections = try self.detect(in: regions, &context)
        let truncated = Self.truncated(detections, by: regions, beside: matched, in: context.sentRegion)
        if truncated.contains(where: self.text.isDue) { return nil }
        return detections.filter { !truncated.contains($0.wholePlace) }
    }

    /// Regions to scan: those of changed cells, places that are scanned again, and other boxes.
    func regions(with boxes: [Box], _ context: borrowing FrameContext) -> [Box] {
        Self.regions(around: self.changes.changedBoxes() + self.dueBounds + boxes, in: context.sentRegion)
    }

    private static func regions(around boxes: [Box], in region: Box) -> [Box] {
        var regions = boxes.map { Self.expanded($0).clipped(to: region) }
        regions.merge()
        return regions
    }

    /// Detects lines in regions of the frame, the largest first.
    func detect(in regions: [Box], _ context: inout FrameContext) throws(RecognitionError) -> [Detection] {
        var lines = try context.detect(in: regions)
        lines.sort { $0.rect.width * $0.rect.height > $1.rect.width * $1.rect.height }
        return lines.flatMap { Detection.sections(of: $0, beside: self.text.tracks, in: context.frame) }
    }

    /// Whether scanning regions costs nearly as much as scanning the whole frame.
    private func costsLikeFullScan(_ regions: [Box], _ context: borrowing FrameContext) -> Bool {
        context.cost(of: regions) > Tuning.maxRegionCost
    }

    /// Whether scanning changed regions costs more than a coarse scan and a scan of what that proposes are likely to.
    func costsMoreThanCoarseScan(_ regions: [Box], _ context: borrowing FrameContext) -> Bool {
        let hasText = !self.text.tracks.isEmpty
        return context.cost(of: regions) > (hasText ? Tuning.maxRegionCost : Tuning.maxRegionCostWithoutText)
    }

    /// Bounding boxes of places that are scanned again.
    var dueBounds: [Box] { self.regionRescans.due.map { Box(around: $0, margin: 0) } }

    /// Region with the margin that a scan of it needs.
    static func expanded(_ region: Box) -> Box { region.expanded(by: Tuning.margin) }

    /// Associates detections in regions, where single characters wait for a full scan.
    ///
    /// - Parameters:
    ///   - detections: The detected lines.
    ///   - regions: Where the frame was scanned.
    ///   - lost: The tracks that the frame lost, in whose places characters need not wait.
    ///   - isStill: Whether the camera stands still; then they need not wait beside other text either.
    ///   - context: The frame's recognition.
    /// - Returns: The earlier tracks in whose places nothing is known any more.
    /// - Throws: ``RecognitionError`` when inference fails.
    @discardableResult
    func associate(
        _ detections: [Detection],
        in regions: [Box],
        insteadOf lost: [Track],
        isStill: Bool = false,
        _ context: inout FrameContext
    ) throws(RecognitionError) -> [Track] {
        let earlier = self.text.tracks
        try self.associate(detections, in: regions, &context)
        self.text.tracks.holdCharacters(exceptInPlacesOf: lost.filter { !$0.isTentative }, orBesideText: isStill)
        return self.recordScan(in: regions, earlier: earlier, context)
    }

    /// Records a scan for those that follow it; returns the tracks before it in whose places nothing is known any more.
    @discardableResult
    private func recordScan(in regions: [Box]?, earlier: [Track], _ context: borrowing FrameContext) -> [Track] {
        let missing = self.text.missing(of: earlier, in: context.sentRegion)
        self.regionRescans.recordScan(in: regions, lost: earlier.lost, missing: missing, tracks: self.text.tracks)
        return missing
    }

    /// Associates detections with tracks, and reads the others; see ``TrackedText``.
    func associate(
        _ detections: [Detection],
        in regions: [Box]?,
        _ context: inout FrameContext
    ) throws(RecognitionError) {
        let skipped = self.backOff.skipped
        try self.text.associate(detections, in: regions, skipped: skipped, of: self.current.full, &context)
    }
}
