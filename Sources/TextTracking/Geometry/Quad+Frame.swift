internal import TextModel

extension Quad {
    /// Whether all corners lie inside a frame, at least `margin` pixels from its edges.
    func isInside(_ frame: (width: Int, height: Int), margin: Float = 0) -> Bool {
        let bounds = self.bounds
        return bounds.left >= margin && bounds.top >= margin && bounds.right <= Float(frame.width) - margin
            && bounds.bottom <= Float(frame.height) - margin
    }
}
