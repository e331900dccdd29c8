internal import TextModel

/// Segmenter of lines into words and characters by their foreground, for detect-only requests and for scripts
/// that the recognizer does not know.
final class LineSegmenter {
    private var characters = CharacterSegmenter()

    /// The characters of a rectified line.
    private struct Segmentation {
        /// Boxes in pixels of the crop.
        let boxes: [BoundingBox]
        let crop: LineCrop
    }

    private func segmentation(of crop: LineCrop) -> Segmentation {
        Segmentation(boxes: self.characters.segment(crop), crop: crop)
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
        let segmentation = self.segmentation(of: LineCrop(frame.sent(line.quad), in: frame, image: image))
        let width = Float(segmentation.crop.width)
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
        let crop = LineCrop(context.frame.sent(line.quad), in: context.frame, image: image)
        return Self.line(self.segmentation(of: crop), score: line.score, context.options)
    }

    /// Segments a line in a script that the recognizer does not know.
    ///
    /// - Parameters:
    ///   - oriented: What was recognized of it, with the rectified line.
    ///   - script: Its script.
    ///   - context: The frame and the options.
    /// - Returns: The line with boxes in sent pixels and empty texts; `nil` without foreground.
    func lineWithoutText(of oriented: OrientedReading, _ script: UnavailableScript, in context: LineContext)
        -> TextLine?
    {
        let segmentation = self.segmentation(of: LineCrop(oriented))
        var line = Self.line(segmentation, score: oriented.line.score, context.options)
        line?.confidence = script.probability
        line?.script = script.code
        line?.reason = .scriptUnavailable
        return line
    }

    /// A line of segmented words without texts; `nil` without foreground.
    private static func line(_ segmentation: Segmentation, score: Float, _ options: ReadingOptions) -> TextLine? {
        let (boxes, map) = (segmentation.boxes, segmentation.crop.map)
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
