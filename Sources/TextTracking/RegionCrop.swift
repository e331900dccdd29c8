internal import ImageCodecs
internal import TextModel
internal import TextRecognition

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
