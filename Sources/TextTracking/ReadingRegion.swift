package import ImageCodecs
package import TextModel
package import TextRecognition

/// Named region of a picture, which is read by itself.
package struct ReadingRegion: Sendable, Hashable {
    /// Name, which each of its lines gets.
    package var name: String
    /// Outline in the upright picture.
    package var outline: RegionOutline
    /// Options for its text, whose ``ReadingOptions/regionOfInterest`` does not count.
    package var options: ReadingOptions

    /// Creates a region.
    package init(name: String, outline: RegionOutline, options: ReadingOptions) {
        self.name = name
        self.outline = outline
        self.options = options
    }

    /// Reads a frame's regions, each by itself and without earlier frames.
    ///
    /// - Parameters:
    ///   - regions: The regions.
    ///   - pixels: The picture as it was sent.
    ///   - orientation: The orientation in which it is upright.
    ///   - options: The options for the whole picture, whose orientation is detected.
    ///   - reader: The reader.
    /// - Returns: The lines region by region, each in reading order, with boxes in sent pixels.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails.
    package static func read(
        _ regions: [ReadingRegion],
        of pixels: PixelView,
        orientation: Orientation,
        options: ReadingOptions,
        with reader: any TextReader
    ) throws(RecognitionError) -> Reading {
        var frame = UprightFrame(pixels, orientation: orientation)
        if options.upright == .auto, let reader = reader as? any RegionReader,
            let turn = try reader.turn(ofPicture: frame, options: options)
        {
            frame = UprightFrame(pixels, orientation: orientation.turned(byQuarterTurns: turn))
        }
        var whole = Reading(lines: [], orientation: frame.orientation, detect: .zero, recognize: .zero)
        for region in regions {
            let crop = RegionCrop(of: region, in: frame)
            let reading = try reader.read(crop.pixels, orientation: frame.orientation, options: crop.options)
            whole.lines += crop.lines(reading.lines)
            whole.detect += reading.detect
            whole.recognize += reading.recognize
        }
        return whole
    }
}

/// Part of a frame that holds one region.
struct RegionCrop {
    /// Pixels of the least rectangle around the region.
    let pixels: PixelView
    /// Options for the part.
    let options: ReadingOptions
    private let region: ReadingRegion
    private let frame: UprightFrame
    /// Top-left pixel of the part in the frame as it was sent.
    private let origin: Point

    init(of region: ReadingRegion, in frame: UprightFrame) {
        let upright = frame.pixels(of: region.outline.bounds)
        let rect = frame.sent(upright)
        self.pixels = frame.view.part(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
        self.origin = Point(x: Float(rect.x), y: Float(rect.y))
        (self.region, self.frame) = (region, frame)
        var options = region.options
        options.upright = .given
        options.regionOfInterest = .full
        // A fraction of the whole picture's height.
        options.minimumTextHeight *= Double(frame.height) / Double(upright.height)
        self.options = options
    }

    /// Lines of the part that are in the region, with their boxes in the whole frame.
    ///
    /// A polygon has the words whose centre is inside.
    func lines(_ lines: [TextLine]) -> [TextLine] {
        lines.compactMap { line in
            var line = line.moved(by: Affine(x: self.origin.x, y: self.origin.y))
            line.region = self.region.name
            guard case .polygon = self.region.outline else { return line }
            return line.restricted(to: line.words.filter { self.contains($0.box) })
        }
    }

    private func contains(_ box: Quad) -> Bool {
        let centre = self.frame.upright(box).centre
        return self.region.outline.contains(
            x: Double(centre.x) / Double(self.frame.width),
            y: Double(centre.y) / Double(self.frame.height)
        )
    }
}
