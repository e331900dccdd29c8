package import TextModel

/// Reader that detects and reads lines in regions of a frame, for tracking.
package protocol RegionReader: TextReader {
    /// Detects the lines in regions of a stream's frame, at the same scale as in the whole.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - regions: In upright pixels, inside the region of interest; `nil` for all of that.
    ///   - options: The reading options.
    /// - Returns: The lines in upright pixels, longest first, since the orientation is estimated by the first ones.
    /// - Throws: ``RecognitionError`` if an option is not supported or inference fails.
    func detect(in frame: UprightFrame, regions: [PixelRect]?, options: ReadingOptions) throws(RecognitionError)
        -> [DetectedLine]

    /// Detects the lines in the region of interest of a single picture.
    ///
    /// - Parameters:
    ///   - frame: The picture.
    ///   - options: The reading options.
    /// - Returns: The lines in upright pixels, longest first.
    /// - Throws: ``RecognitionError`` if an option is not supported or inference fails.
    func detect(inPicture frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> [DetectedLine]

    /// Proposes where text may be, by a coarse scan of the region of interest.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - options: The reading options.
    /// - Returns: Places in upright pixels, with rough boxes and low scores: each is to be scanned with a margin.
    /// - Throws: ``RecognitionError`` if an option is not supported or inference fails.
    func propose(in frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> [DetectedLine]

    /// Recognizes lines, or segments them for detect-only requests.
    ///
    /// - Parameters:
    ///   - lines: The lines, in any order.
    ///   - frame: The frame.
    ///   - options: The reading options.
    ///   - votes: The votes of the stream's earlier lines, to which those of these lines are added.
    /// - Returns: The lines with boxes in sent pixels, `nil` for unreadable ones.
    /// - Throws: ``RecognitionError`` if an option is not supported or inference fails.
    func read(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        options: ReadingOptions,
        votes: inout LineVotes
    ) throws(RecognitionError) -> [TextLine?]

    /// Cost of detecting lines in regions, as a fraction of that for the whole region of interest.
    func detectionCost(of regions: [PixelRect], in frame: UprightFrame, options: ReadingOptions) -> Float
}

extension RegionReader {
    /// As in a stream's frame, by default.
    package func detect(
        inPicture frame: UprightFrame,
        options: ReadingOptions
    ) throws(RecognitionError) -> [DetectedLine] {
        try self.detect(in: frame, regions: nil, options: options)
    }
}
