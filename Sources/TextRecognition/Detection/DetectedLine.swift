/// A detected line of text, in upright pixels of the whole frame.
package struct DetectedLine: Sendable {
    /// The line's box at any angle.
    package var rect: RotatedRect
    /// The detection score, 0...1: the mean probability inside the line's text kernel.
    package var score: Float
    /// The text that earlier frames showed in its place; `nil` if there is none to verify.
    ///
    /// A first reading that confirms it is accepted, and not read again by the second recognizer.
    package var expectedText: String?

    package init(rect: RotatedRect, score: Float) {
        self.rect = rect
        self.score = score
    }

    /// The height of its letters with their margins: the short side of the box.
    var letterHeight: Float { min(self.rect.width, self.rect.height) }

    /// The aspect ratio of the box, 1 or more: its long side over its short side.
    var elongation: Float {
        max(self.rect.width, self.rect.height) / max(self.letterHeight, 1)
    }
}
