package import TextModel

/// A reader that finds and reads lines one by one, for who knows from earlier frames which parts of a frame need it.
package protocol PartReader: TextReader {
    /// Finds the lines in parts of a frame, at the size at which they are found in all of it.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - parts: In upright pixels, inside the region of interest; `nil` for all of that.
    ///   - options: What the client wants to know.
    /// - Returns: The lines in upright pixels, the longest first: their direction is a prior for the short ones.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails.
    func find(in frame: UprightFrame, parts: [PixelRect]?, options: ReadingOptions) throws(RecognitionError)
        -> [DetectedLine]

    /// Reads lines, or where only boxes are asked for measures them.
    ///
    /// - Parameters:
    ///   - lines: Where they are; it takes less time where the like stand side by side.
    ///   - frame: The frame.
    ///   - options: What the client wants to know.
    ///   - votes: Which way the stream's lines ran so far; counts these.
    /// - Returns: The lines with boxes in sent pixels, `nil` for those where nothing can be read.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails.
    func read(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        options: ReadingOptions,
        votes: inout DirectionVotes
    ) throws(RecognitionError) -> [TextLine?]

    /// What finding the lines in parts costs, as a fraction of what it costs for the whole region of interest.
    func cost(ofFindingIn parts: [PixelRect], of frame: UprightFrame, options: ReadingOptions) -> Float
}
