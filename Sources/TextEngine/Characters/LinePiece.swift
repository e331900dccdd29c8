/// A connected piece of ink in a straightened line.
struct LinePiece {
    let box: InkBox
    /// In pixels.
    let area: Float

    init(_ runs: UnsafeBufferPointer<ComponentLabeler.Run>) {
        var (left, right, top, bottom, area) = (Int32.max, Int32.min, Int32.max, Int32.min, Int32(0))
        for run in runs {
            left = min(left, run.first)
            right = max(right, run.end)
            top = min(top, run.row)
            bottom = max(bottom, run.row + 1)
            area += run.end - run.first
        }
        self.box = InkBox(x0: Float(left), y0: Float(top), x1: Float(right), y1: Float(bottom))
        self.area = Float(area)
    }

    /// Whether the piece is no part of a line `height` pixels high but came in at its edges.
    func isForeign(height: Int) -> Bool {
        let height = Float(height)
        let (touchesTop, touchesBottom) = (self.box.y0 <= 0, self.box.y1 >= height)
        // A narrow piece from edge to edge is the side of a frame or a table.
        if touchesTop, touchesBottom { return self.area < height * height / 8 }
        // Ink that enters at one edge and soon ends belongs to a neighbouring line.
        let reach = height / 6
        return (touchesTop && self.box.y1 <= reach) || (touchesBottom && self.box.y0 >= height - reach)
    }
}
