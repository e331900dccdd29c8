package import ImageCodecs
package import TextModel
package import TextRecognition

/// Tracker of the text in a live stream: in whole frames, or in each of its named regions by itself.
///
/// Each region has a ``TextStream`` of its own, so that a change of one leaves the text of the others as it is. All count the
/// ids of words together. It belongs to one thread at a time.
package final class StreamTracker {
    /// Region that is tracked.
    private struct TrackedRegion {
        let outline: RegionOutline
        let stream: TextStream
    }

    private let whole = TextStream()
    /// Regions by name.
    private var regions: [String: TrackedRegion] = [:]
    /// Orientation of frames with regions.
    private var orientation = OrientationTracker()
    private let clock = ContinuousClock()
    private var nextID: UInt64 = 1
    /// Ids of the words that were reported of the latest frame.
    private var reportedIDs: Set<UInt64> = []

    /// Creates the tracker of a stream.
    package init() {}

    private var streams: [TextStream] { [self.whole] + self.regions.values.map(\.stream) }

    /// Memory that it holds, in bytes.
    package var byteCount: Int { self.streams.reduce(0) { $0 + $1.byteCount } }

    /// Whether even a frame that repeats the last one is to be scanned.
    ///
    /// - Parameters:
    ///   - time: The time of the frame, on the clock of those before.
    ///   - refresh: The longest time between two full scans.
    /// - Returns: Whether the last frame left changes to it, or was not scanned in full when that is due.
    package func awaitsScan(at time: Duration, refresh: Duration) -> Bool {
        self.streams.contains { $0.awaitsScan(at: time, refresh: refresh) }
    }

    /// Releases the memory: the next frame is read by itself, and its words get new ids.
    ///
    /// The orientation is that of the camera, and stays until text contradicts it.
    package func release() {
        self.whole.release()
        self.regions = [:]
    }

    /// Reads the next frame.
    ///
    /// - Parameters:
    ///   - pixels: The picture as it was sent.
    ///   - orientation: The orientation in which it is upright.
    ///   - options: The client's options.
    ///   - regions: The named regions; empty to read the whole frame.
    ///   - refresh: The longest time between two full scans.
    ///   - time: The time of the frame, on any clock that runs forward.
    ///   - reader: The detector and recognizer of text.
    /// - Returns: The text of the frame; that of regions in their order.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails.
    package func read(
        _ pixels: PixelView,
        orientation: Orientation,
        options: ReadingOptions,
        regions: [ReadingRegion] = [],
        refresh: Duration,
        at time: Duration,
        with reader: any RegionReader
    ) throws(RecognitionError) -> StreamReading {
        self.keep(regions)
        if regions.isEmpty {
            return try self.next(of: self.whole) { (stream) throws(RecognitionError) in
                try stream.read(
                    pixels,
                    orientation: orientation,
                    options: options,
                    refresh: refresh,
                    at: time,
                    with: reader
                )
            }
        }
        var context = FrameContext(
            reader: reader,
            frame: UprightFrame(pixels, orientation: orientation),
            options: options
        )
        return try self.readUpright(regions, refresh: refresh, at: time, &context)
    }

    /// Reports lines of the latest frame, all of them or some.
    ///
    /// - Parameter lines: The lines.
    /// - Returns: The ids of words that were reported of the frame before and are not now, in ascending order.
    package func lostIDs(reporting lines: [TextLine]) -> [UInt64] {
        let ids = Set(lines.flatMap(\.words).compactMap(\.id))
        defer { self.reportedIDs = ids }
        return self.reportedIDs.subtracting(ids).sorted()
    }

    /// Keeps the streams of regions that are where they were, and begins those of the others.
    private func keep(_ regions: [ReadingRegion]) {
        if !regions.isEmpty { self.whole.release() }
        var kept: [String: TrackedRegion] = [:]
        for region in regions {
            let known = self.regions[region.name].flatMap { $0.outline == region.outline ? $0 : nil }
            kept[region.name] = known ?? TrackedRegion(outline: region.outline, stream: TextStream())
        }
        self.regions = kept
    }

    /// Reads regions of a frame in the orientation of their text.
    private func readUpright(
        _ regions: [ReadingRegion],
        refresh: Duration,
        at time: Duration,
        _ context: inout FrameContext
    ) throws(RecognitionError) -> StreamReading {
        let start = self.clock.now
        try self.orientation.turn(&context, at: time)
        var reading = try self.read(regions, refresh: refresh, at: time, context)
        if !reading.isReused, try self.orientation.turn(&context, by: reading.lines, refresh: refresh, at: time) {
            let first = reading
            reading = try self.read(regions, refresh: refresh, at: time, context)
            reading.work.add(first.work)
            reading.recognize += first.recognize
            self.orientation.wasReadAgain(reading.lines, in: context.frame)
        }
        reading.isReused = reading.isReused && !context.hasRun
        reading.work.add(context.work)
        reading.detect = self.clock.now - start - reading.recognize
        return reading
    }

    /// Reads each region of a frame by itself.
    private func read(
        _ regions: [ReadingRegion],
        refresh: Duration,
        at time: Duration,
        _ context: FrameContext
    ) throws(RecognitionError) -> StreamReading {
        var all = StreamReading(
            lines: [],
            orientation: context.frame.orientation,
            isReused: true,
            detect: .zero,
            recognize: .zero,
            work: TrackingWork()
        )
        for region in regions {
            guard let tracked = self.regions[region.name] else { continue }
            let crop = RegionCrop(of: region, in: context.frame)
            let reading = try self.next(of: tracked.stream) { (stream) throws(RecognitionError) in
                try stream.read(
                    crop.pixels,
                    orientation: context.frame.orientation,
                    options: crop.options,
                    refresh: refresh,
                    at: time,
                    with: context.reader
                )
            }
            all.lines += crop.lines(reading.lines)
            all.isReused = all.isReused && reading.isReused
            all.detect += reading.detect
            all.recognize += reading.recognize
            all.work.add(reading.work)
        }
        return all
    }

    /// Has a stream continue the ids of all streams.
    private func next(
        of stream: TextStream,
        _ body: (TextStream) throws(RecognitionError) -> StreamReading
    ) throws(RecognitionError) -> StreamReading {
        stream.nextID = self.nextID
        defer { self.nextID = stream.nextID }
        return try body(stream)
    }
}
