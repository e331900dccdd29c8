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

    /// Interval of the upper side along which the middle of a line lies inside a frame with a margin around it, in pixels.
    ///
    /// It is `nil` where none of it does.
    ///
    /// Liang and Barsky, A new concept and method for line clipping (ACM Transactions on Graphics 3, 1984).
    func visibleInterval(in frame: (width: Int, height: Int), margin: Float = 0) -> ClosedRange<Float>? {
        let start = self.topLeft.interpolated(to: self.bottomLeft, 0.5)
        let end = self.topRight.interpolated(to: self.bottomRight, 0.5)
        var (lower, upper): (Float, Float) = (0, 1)
        let axes = [(start.x, end.x - start.x, Float(frame.width)), (start.y, end.y - start.y, Float(frame.height))]
        for (offset, step, limit) in axes {
            if step == 0 {
                guard offset >= -margin, offset <= limit + margin else { return nil }
                continue
            }
            let (first, last) = ((-margin - offset) / step, (limit + margin - offset) / step)
            lower = max(lower, min(first, last))
            upper = min(upper, max(first, last))
        }
        return lower < upper ? lower...upper : nil
    }

    /// The line without what lies more than `margin` pixels outside a frame, cut off along its longer sides.
    ///
    /// It is all of the line where the frame shows nothing of it.
    func clipped(toLengthIn frame: (width: Int, height: Int), margin: Float = 0) -> Quad {
        guard !self.isInside(frame, margin: -margin) else { return self }
        let line = self.withLongSideUp
        guard let visible = line.visibleInterval(in: frame, margin: margin) else { return self }
        return line.section(visible).turned(towards: self)
    }

    /// Whether this is the box of the same text that stands still: credits that roll and tickers move farther from frame to frame.
    func isInPlace(of earlier: Quad) -> Bool {
        self.centre.distance(to: earlier.centre) < Self.maxStillDisplacement * min(self.height, earlier.height)
    }
}
