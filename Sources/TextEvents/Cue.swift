package import TextModel

/// Text with the time at which it is shown.
package struct Cue: Sendable, Equatable {
    /// First time in microseconds from the start.
    package var start: UInt64
    /// Time at which it is gone, in microseconds from the start.
    package var end: UInt64
    /// The text.
    package var text: String
    /// Bounding box when it appeared.
    package var box: Quad
    /// Coordinate space of the box.
    package var coordinates: CoordinateSpace

    /// Creates a cue.
    package init(start: UInt64, end: UInt64, text: String, box: Quad, coordinates: CoordinateSpace = .sent) {
        (self.start, self.end, self.text, self.box, self.coordinates) = (start, end, text, box, coordinates)
    }
}
