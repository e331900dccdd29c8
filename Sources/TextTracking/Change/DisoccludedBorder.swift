internal import TextModel

/// How deep at each edge a frame shows what was not in view before, in pixels.
struct DisoccludedBorder {
    private var left: Float = 0
    private var top: Float = 0
    private var right: Float = 0
    private var bottom: Float = 0

    /// A frame that shows nothing new.
    init() {}

    /// A frame to which `motion` leads from one that showed as much of new things as `before` says.
    ///
    /// What moved out of view again is new no more.
    init(uncoveredBy motion: Affine, width: Int, height: Int, after before: DisoccludedBorder) {
        let (width, height) = (Float(width), Float(height))
        let (p, q, r, s) = (motion(0, 0), motion(width, 0), motion(width, height), motion(0, height))
        let most = max(width, height)
        func depth(_ before: Float, _ added: Float) -> Float { added.isFinite ? max(0, min(most, before + added)) : 0 }
        self.left = depth(before.left, max(p.x, s.x))
        self.top = depth(before.top, max(p.y, q.y))
        self.right = depth(before.right, width - min(q.x, r.x))
        self.bottom = depth(before.bottom, height - min(r.y, s.y))
    }

    /// The depth at the edge where it is greatest.
    var deepest: Float { max(self.left, self.top, self.right, self.bottom) }

    /// The parts of a frame that are new, but for those too thin for a letter.
    func strips(width: Int, height: Int) -> [Box] {
        let (left, top) = (Int(self.left), Int(self.top))
        let (right, bottom) = (Int(self.right), Int(self.bottom))
        return [
            Box(left: 0, top: 0, right: left, bottom: height),
            Box(left: 0, top: 0, right: width, bottom: top),
            Box(left: width - right, top: 0, right: width, bottom: height),
            Box(left: 0, top: height - bottom, right: width, bottom: height),
        ].filter { $0.right - $0.left >= 3 && $0.bottom - $0.top >= 3 }
    }
}
