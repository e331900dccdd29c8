package import TextModel

/// What is to be reported of one frame of a live stream.
package struct StreamReading: Sendable {
    /// The lines in reading order, boxes in pixels of the frame as it was sent; each has a state, each word an id.
    package var lines: [TextLine]
    /// How the frame was turned to be read.
    package var orientation: Orientation
    /// The ids of words that the frame before had and this one has not, in ascending order.
    package var lost: [UInt64]
    /// Whether no network ran: everything was known from earlier frames.
    package var isReused: Bool
    /// Time spent telling what changed, and finding where text is.
    package var detect: Duration
    /// Time spent reading it.
    package var recognize: Duration
}
