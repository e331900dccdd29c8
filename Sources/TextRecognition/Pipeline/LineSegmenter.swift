internal import TextModel

/// Segmenter of lines into words and characters by their foreground, for detect-only requests and for scripts
/// that the recognizer does not know.
final class LineSegmenter {
    private var characters = CharacterSegmenter()

    /// The characters of a rectified line.
    private struct Segmentation {
        /// Boxes in pixels of the rectified line.
        let boxes: [BoundingBox]
        /// The width of the rectified line.
        let width: Int
        /// The map from the rectified line to sent pixels.
        let map: Homography
    }

    private func segmentation(of line: DetectedLine, in frame: UprightFrame, image: LineImage) -> Segmentation {
        let quad = frame.sent(line.quad)
        let width = LineRecognizer.width(of: quad)
        let map = Homography(width: Float(width), height: Float(LineRecognizer.height), to: quad)
        image.rectify(frame.view, map: map, width: width)
        let boxes = self.characters.segment(gray: image.base, width: width, height: LineRecognizer.height)
        return Segmentation(boxes: boxes, width: width, map: map)
    }

    /// Splits a line that is too long for the recognizer's widest input.
    ///
    /// Squeezed into that input, small print across a whole screen would lose letters.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - frame: The frame it is in.
    ///   - image: A buffer for the rectified line.
    /// - Returns: Its sections, split between words where there is a gap.
    func sections(of line: DetectedLine, in frame: UprightFrame, image: LineImage) -> [LineSection] {
        let segmentation = self.segmentation(of: line, in: frame, image: image)
        let width = Float(segmentation.width)
        let cuts = LetterGap.gaps(between: segmentation.boxes).cuts(into: line.sectionCount, of: width)
        let ends = cuts.map { $0.middle / width } + [1]
        return zip(zip([0] + ends, ends), cuts.map(\.endsWord) + [true]).map { stretch, endsWord in
            LineSection(line: line.section(stretch.0..<stretch.1), endsWord: endsWord)
        }
    }

    /// Segments a line into words and characters.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - context: The frame and the options.
    ///   - image: A buffer for the rectified line.
    /// - Returns: The line with boxes in sent pixels and empty texts; `nil` without foreground.
    func segment(_ line: DetectedLine, in context: LineContext, image: LineImage) -> TextLine? {
        let segmentation = self.segmentation(of: line, in: context.frame, image: image)
        return Self.line(segmentation, score: line.score, context.options)
    }

    /// Segments a line in a script that the recognizer does not know.
    ///
    /// - Parameters:
    ///   - oriented: What was recognized of it, with the rectified line.
    ///   - script: Its script.
    ///   - context: The frame and the options.
    /// - Returns: The line with boxes in sent pixels and empty texts; `nil` without foreground.
    func unreadLine(of oriented: OrientedReading, _ script: UnreadScript, in context: LineContext) -> TextLine? {
        let (width, map) = (oriented.reading.width, oriented.reading.map)
        let boxes = self.characters.segment(gray: oriented.image.base, width: width, height: LineRecognizer.height)
        let segmentation = Segmentation(boxes: boxes, width: width, map: map)
        var line = Self.line(segmentation, score: oriented.line.score, context.options)
        line?.confidence = script.probability
        line?.script = script.code
        line?.reason = .scriptUnavailable
        return line
    }

    /// A line of segmented words without texts; `nil` without foreground.
    private static func line(_ segmentation: Segmentation, score: Float, _ options: ReadingOptions) -> TextLine? {
        let (boxes, map) = (segmentation.boxes, segmentation.map)
        guard let hull = BoundingBox(around: boxes) else { return nil }
        let words = WordSplitter.words(boxes).compactMap { range in
            BoundingBox(around: boxes[range]).map { hull in
                TextWord(
                    text: "",
                    confidence: score,
                    box: map.quad(hull).withMargin,
                    characters: options.characters
                        ? boxes[range].map { TextCharacter(text: "", confidence: score, box: map.quad($0)) } : []
                )
            }
        }
        return TextLine(
            text: "",
            confidence: score,
            box: map.quad(hull).withMargin,
            words: words,
            scores: TextLine.Scores(detection: score)
        )
    }
}
