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
        guard let back = motion.inverse else { return }
        let (width, height) = (Float(width), Float(height))
        let most = max(width, height)
        /// Depth at an edge: `offset` at one of its ends and `slope` more at the other, in pixels of the earlier frame.
        func depth(_ previous: Float, offset: Float, slope: Float, scale: Float) -> Float {
            // Beyond a quarter turn, the side leaves all of the frame open.
            let added = scale > 0 ? max(offset, offset + slope) / scale : most
            return added.isFinite ? max(0, min(most, previous + added)) : 0
        }
        // A place was to the left of the earlier frame where `back` gives it a negative x, and so on.
        self.left = depth(previous.left, offset: -back.tx, slope: -back.b * height, scale: back.a)
        self.top = depth(previous.top, offset: -back.ty, slope: -back.c * width, scale: back.d)
        self.right = depth(
            previous.right,
            offset: back.a * width + back.tx - width,
            slope: back.b * height,
            scale: back.a
        )
        self.bottom = depth(
            previous.bottom,
            offset: back.d * height + back.ty - height,
            slope: back.c * width,
            scale: back.d
        )
    }

    /// Depth at the edge with the deepest border.
    var maxDepth: Float { max(self.left, self.top, self.right, self.bottom) }

    /// Border that is left when its strips have been scanned: sides too thin for one, which grow on from there.
    var unscanned: DisoccludedBorder {
        func rest(_ depth: Float) -> Float { depth < Float(Tuning.minSide) ? depth : 0 }
        var border = DisoccludedBorder()
        (border.left, border.top) = (rest(self.left), rest(self.top))
        (border.right, border.bottom) = (rest(self.right), rest(self.bottom))
        return border
    }

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
