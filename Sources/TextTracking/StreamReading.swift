package import TextModel

/// Result of one frame of a live stream.
package struct StreamReading: Sendable {
    /// Lines in reading order with boxes in sent pixels; each has a state, and each word an id.
    package var lines: [TextLine]
    /// Orientation in which the frame was read.
    package var orientation: Orientation
    /// Whether no network ran, as everything was known from earlier frames.
    package var isReused: Bool
    /// Time spent on change detection, motion estimation and text detection.
    package var detect: Duration
    /// Time spent on text recognition.
    package var recognize: Duration
    /// Scans and readings of the frame.
    package var work: TrackingWork
}
