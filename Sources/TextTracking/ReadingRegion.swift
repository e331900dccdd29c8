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
