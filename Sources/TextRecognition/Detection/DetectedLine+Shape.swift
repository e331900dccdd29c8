internal import TextModel

extension DetectedLine {
    /// A box this many times as high as wide is a narrow letter, or a short line that runs up or down.
    private static let narrowRatio: Float = 1.5
    /// A box this many times as high as wide is a line that runs up or down: no letter is as narrow, with its margins.
    private static let tallRatio: Float = 2.5

    /// The shape of its box.
    var shape: DirectionVotes.Shape {
        let ratio = self.rect.height / max(self.rect.width, 1)
        return ratio >= Self.tallRatio ? .tall : ratio >= Self.narrowRatio ? .narrow : .wide
    }

    /// Its corners in the likeliest reading direction, in upright pixels.
    var quad: Quad { self.shape == .tall ? self.rect.quad.turned(1) : self.rect.quad }

    /// Scales the height of its letters, about its centre line.
    package mutating func scaleHeight(by factor: Float) {
        if self.shape == .tall { self.rect.width *= factor } else { self.rect.height *= factor }
    }

    /// The number of sections in which it is recognized.
    var sectionCount: Int { LineSize(self.quad).sectionCount }

    /// The section between two fractions of its length, in the direction of ``quad``.
    func section(_ stretch: Range<Float>) -> DetectedLine {
        var section = self
        let (length, share) = (max(self.rect.width, self.rect.height), stretch.upperBound - stretch.lowerBound)
        let shift = ((stretch.lowerBound + stretch.upperBound) / 2 - 0.5) * length
        let axis = self.rect.axis
        if self.shape == .tall {
            section.rect.centre = Point(x: self.rect.centre.x - axis.y * shift, y: self.rect.centre.y + axis.x * shift)
            section.rect.height *= share
        } else {
            section.rect.centre = Point(x: self.rect.centre.x + axis.x * shift, y: self.rect.centre.y + axis.y * shift)
            section.rect.width *= share
        }
        return section
    }
}
