internal import TextModel

/// Disoccluded border of a frame: the depth, at each edge, of what the keyframe did not show, in pixels.
struct DisoccludedBorder {
    private enum Tuning {
        /// Least side of a strip in pixels: letters are higher; chosen by eye.
        static let minSide = 3
    }

    private var left: Float = 0
    private var top: Float = 0
    private var right: Float = 0
    private var bottom: Float = 0

    /// Border of a frame that shows nothing new.
    init() {}

    /// Border of a frame after a motion from one with the border `previous`.
    ///
    /// What moves out of view again is no longer part of it.
    init(uncoveredBy motion: Affine, width: Int, height: Int, after previous: DisoccludedBorder) {
        let (width, height) = (Float(width), Float(height))
        let (p, q, r, s) = (motion(0, 0), motion(width, 0), motion(width, height), motion(0, height))
        let most = max(width, height)
        func depth(_ previous: Float, _ added: Float) -> Float {
            added.isFinite ? max(0, min(most, previous + added)) : 0
        }
        self.left = depth(previous.left, max(p.x, s.x))
        self.top = depth(previous.top, max(p.y, q.y))
        self.right = depth(previous.right, width - min(q.x, r.x))
        self.bottom = depth(previous.bottom, height - min(r.y, s.y))
    }

    /// Depth at the edge with the deepest border.
    var maxDepth: Float { max(self.left, self.top, self.right, self.bottom) }

    /// Strips of a frame that the border consists of, without those too thin for a letter.
    func strips(width: Int, height: Int) -> [Box] {
        let (left, top) = (Int(self.left), Int(self.top))
        let (right, bottom) = (Int(self.right), Int(self.bottom))
        return [
            Box(left: 0, top: 0, right: left, bottom: height),
            Box(left: 0, top: 0, right: width, bottom: top),
            Box(left: width - right, top: 0, right: width, bottom: height),
            Box(left: 0, top: height - bottom, right: width, bottom: height),
        ].filter { $0.right - $0.left >= Tuning.minSide && $0.bottom - $0.top >= Tuning.minSide }
    }
}
