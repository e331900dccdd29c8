internal import TextModel

extension Quad {
    /// Largest displacement of text that stands still, by how different two boxes of it are, in heights; chosen by eye.
    private static let maxStillDisplacement: Float = 0.2

    /// Whether all corners lie inside a frame, at least `margin` pixels from its edges.
    func isInside(_ frame: (width: Int, height: Int), margin: Float = 0) -> Bool {
        let bounds = self.bounds
        return bounds.left >= margin && bounds.top >= margin && bounds.right <= Float(frame.width) - margin
            && bounds.bottom <= Float(frame.height) - margin
    }

    /// Whether this is the box of the same text that stands still: credits that roll and tickers move farther from frame to frame.
    func isInPlace(of earlier: Quad) -> Bool {
        self.centre.distance(to: earlier.centre) < Self.maxStillDisplacement * min(self.height, earlier.height)
    }
}
