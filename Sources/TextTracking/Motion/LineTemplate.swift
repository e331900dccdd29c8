internal import TextModel

/// Template of a line: its pixels, rectified, when it was read.
struct LineTemplate {
    private enum Tuning {
        /// Bounds of a template's height in pixels: larger lines are reduced to it.
        ///
        /// Chosen by eye.
        static let heights = 8...32
        /// Bounds of a template's width in pixels; chosen by eye.
        static let widths = 8...1600
        /// Pixels around the line on each side: letters end where their surroundings begin.
        ///
        /// Chosen by eye.
        static let margin: Float = 1
    }

    /// Least width of a template, in pixels.
    static let minWidth = Tuning.widths.lowerBound

    let full: TemplateLevel
    /// Pixels at half the size.
    let half: TemplateLevel
    /// Map from the template to the frame it was taken from.
    let place: Affine
    /// Legibility of the line: the mean squared gradient of its pixels, in squared steps of brightness.
    ///
    /// It grows with contrast and with sharpness. Gradient energy is a common measure of focus (Pertuz et al., Analysis of focus
    /// measure operators for shape-from-focus, Pattern Recognition 46, 2013).
    let legibility: Float

    /// Memory of the pixels, in bytes.
    var byteCount: Int { self.full.values.count + self.half.values.count }

    /// Width in heights.
    var aspect: Float { Float(self.full.width) / Float(self.full.height) }

    /// Whether the template is as high as any.
    var isLarge: Bool { self.full.height == Tuning.heights.upperBound }

    /// Takes the pixels in and closely around `box`.
    init(_ box: Quad, in plane: borrowing GrayPlane) {
        let (width, height) = Self.size(of: box)
        let place = Self.place(of: box, width: width, height: height)
        var values = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let point = place(Float(x) + 0.5, Float(y) + 0.5)
                values[y * width + x] = UInt8(plane.clampedValue(point.x - 0.5, point.y - 0.5) + 0.5)
            }
        }
        self.place = place
        self.full = TemplateLevel(values, width: width, height: height)
        self.half = self.full.halved
        var pixels = LinePixels()
        pixels.load(values, width: width, height: height)
        self.legibility = pixels.sharpness / Float(values.count)
    }

    /// Template of some columns of another one, an even number of them.
    init(_ columns: Range<Int>, of whole: LineTemplate) {
        let level = whole.full
        let rows = (0..<level.height).map { $0 * level.width }
        let values = rows.flatMap { level.values[$0 + columns.lowerBound..<$0 + columns.upperBound] }
        self.place = Affine(x: Float(columns.lowerBound), y: 0).then(whole.place)
        self.full = TemplateLevel(values, width: columns.count, height: level.height)
        self.half = self.full.halved
        self.legibility = whole.legibility
    }

    /// Columns inside a frame after a motion, an even number of them; none where the frame shows nothing of the line.
    func columns(visibleAfter motion: Affine, in frame: (width: Int, height: Int)) -> Range<Int> {
        let (width, height) = (Float(self.full.width), Float(self.full.height))
        let box = self.place.then(motion)(Quad(x: 0, y: 0, width: width, height: height))
        guard !box.isInside(frame) else { return 0..<self.full.width }
        guard let visible = box.visibleInterval(in: frame) else { return 0..<0 }
        let (first, end) = (Int((visible.lowerBound * width).rounded(.up)), Int(visible.upperBound * width))
        return first..<max(first, end - (end - first) % 2)
    }

    /// Size of the template of a line; even sides can be halved.
    private static func size(of box: Quad) -> (width: Int, height: Int) {
        let (along, across) = (box.topLeft.distance(to: box.topRight), box.topLeft.distance(to: box.bottomLeft))
        let height = Int(clamping: across + 2 * Tuning.margin, to: Tuning.heights)
        let scale = Float(height) / max(across + 2 * Tuning.margin, 1)
        let width = Int(clamping: (along + 2 * Tuning.margin) * scale, to: Tuning.widths)
        return (width & ~1, height & ~1)
    }

    /// Map from a template of a line and its margin to the frame.
    private static func place(of box: Quad, width: Int, height: Int) -> Affine {
        let (along, across) = (box.topLeft.distance(to: box.topRight), box.topLeft.distance(to: box.bottomLeft))
        let (ux, uy) = (
            (box.topRight.x - box.topLeft.x) / max(along, 1), (box.topRight.y - box.topLeft.y) / max(along, 1)
        )
        let (vx, vy) = (
            (box.bottomLeft.x - box.topLeft.x) / max(across, 1), (box.bottomLeft.y - box.topLeft.y) / max(across, 1)
        )
        let margin = Tuning.margin
        func moved(_ point: Point, u: Float, v: Float) -> Point {
            Point(x: point.x + ux * u + vx * v, y: point.y + uy * u + vy * v)
        }
        return Affine(
            width: Float(width),
            height: Float(height),
            to: Quad(
                topLeft: moved(box.topLeft, u: -margin, v: -margin),
                topRight: moved(box.topRight, u: margin, v: -margin),
                bottomRight: moved(box.bottomRight, u: margin, v: margin),
                bottomLeft: moved(box.bottomLeft, u: -margin, v: margin)
            )
        )
    }
}
