public import FrameCodecs
public import GlyphwireProtocol

/// What a reader found in one frame, and what it cost.
public struct Reading: Sendable {
    /// The lines in reading order, boxes in pixels of the frame as it was sent.
    public var lines: [TextLine]
    /// How the picture was turned to be read; `nil` for as its caller said.
    public var orientation: Orientation?
    /// Time spent finding where text is.
    public var detect: Duration
    /// Time spent reading it and placing words and characters.
    public var recognize: Duration

    /// A reading of `lines`.
    public init(lines: [TextLine], orientation: Orientation? = nil, detect: Duration, recognize: Duration) {
        self.lines = lines
        self.orientation = orientation
        self.detect = detect
        self.recognize = recognize
    }
}

/// Reads text in pictures, one at a time; every worker thread has its own.
///
/// A reader keeps its buffers between frames and is not safe to share.
public protocol TextReader: AnyObject {
    /// Reads one picture.
    ///
    /// - Parameters:
    ///   - pixels: The picture as it was sent.
    ///   - orientation: How it must be turned to stand upright.
    ///   - options: What the client wants to know.
    /// - Returns: The text, with boxes in pixels of the picture as it was sent.
    /// - Throws: ``WireError`` when an option cannot be honoured or inference fails.
    func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(WireError) -> Reading
}
