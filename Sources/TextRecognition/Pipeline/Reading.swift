public import TextModel

/// Result of reading one frame, with its stage times.
public struct Reading: Sendable {
    /// Lines in reading order, with boxes in pixels of the frame as sent.
    public var lines: [TextLine]
    /// Orientation in which the frame was read: the detected one if that was asked for, else the caller's.
    public var orientation: Orientation?
    /// Time of text detection.
    public var detect: Duration
    /// Time of text recognition, with the localization of words and characters.
    public var recognize: Duration

    /// Creates a result with `lines`.
    public init(lines: [TextLine], orientation: Orientation? = nil, detect: Duration, recognize: Duration) {
        self.lines = lines
        self.orientation = orientation
        self.detect = detect
        self.recognize = recognize
    }
}
