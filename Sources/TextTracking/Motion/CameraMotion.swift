internal import TextModel

/// Camera motion: the global motion from a keyframe to a later frame, as an affine map.
///
/// Corners of the keyframe are tracked by optical flow from coarse to fine, and a consensus of the correspondences gives the
/// motion. Objects that move by themselves are outliers.
struct CameraMotion {
    private enum Tuning {
        /// Least share of the corners that must be tracked, in percent; chosen by eye.
        static let minTrackedPercent = 40
        /// Largest shift of the block matching along either axis, in pixels of the eighth plane; chosen by eye.
        static let searchRadius = 14
    }

    private var corners: [CornerDetector.Corner]?
    private var consensus = MotionConsensus()

    /// Discards what is known of the keyframe, as it shows something else now.
    mutating func keyframeChanged() { self.corners = nil }

    /// Estimates the motion from `keyframe` to `current` in sent pixels.
    ///
    /// - Parameters:
    ///   - keyframe: The earlier frame, reduced.
    ///   - current: The later frame, reduced.
    ///   - prediction: The motion up to the frame before.
    /// - Returns: The map of a place in the keyframe to the current frame; `nil` where most of the picture shares no motion.
    mutating func estimate(
        from keyframe: borrowing Pyramid,
        to current: borrowing Pyramid,
        prediction: Affine
    ) -> Affine? {
        let corners = self.corners ?? CornerDetector.corners(of: keyframe.quarter)
        self.corners = corners
        guard corners.count >= MotionConsensus.minCount else { return nil }
        if let motion = self.track(corners, from: keyframe, to: current, prediction: prediction) { return motion }
        // Optical flow fails beyond a few pixels; the least difference of the whole pictures restarts it.
        let shift = Self.globalShift(from: keyframe.eighth, to: current.eighth)
        return self.track(
            corners,
            from: keyframe,
            to: current,
            prediction: Affine(x: Pyramid.eighthScale * Float(shift.x), y: Pyramid.eighthScale * Float(shift.y))
        )
    }

    private mutating func track(
        _ corners: [CornerDetector.Corner],
        from keyframe: borrowing Pyramid,
        to current: borrowing Pyramid,
        prediction: Affine
    ) -> Affine? {
        self.consensus.removeAll()
        for corner in corners {
            guard
                let coarse = OpticalFlow.shift(
                    of: corner,
                    from: keyframe.quarter,
                    to: current.quarter,
                    prediction: prediction.scaled(by: 1 / Pyramid.quarterScale),
                    start: Point(x: 0, y: 0)
                ),
                let fine = OpticalFlow.shift(
                    of: CornerDetector.Corner(x: 2 * corner.x, y: 2 * corner.y),
                    from: keyframe.half,
                    to: current.half,
                    prediction: prediction.scaled(by: 1 / Pyramid.halfScale),
                    start: Point(x: 2 * coarse.x, y: 2 * coarse.y)
                )
            else { continue }
            // The corner is a pixel of the half plane, whose centre lies at half coordinates there.
            let scale = Pyramid.quarterScale
            let from = Point(x: scale * Float(corner.x) + 1, y: scale * Float(corner.y) + 1)
            let predicted = prediction(from)
            let (shiftX, shiftY) = (Pyramid.halfScale * fine.x, Pyramid.halfScale * fine.y)
            self.consensus.add(from: from, to: Point(x: predicted.x + shiftX, y: predicted.y + shiftY))
        }
        let minTracked = corners.count * Tuning.minTrackedPercent / 100
        guard self.consensus.correspondences.count >= max(MotionConsensus.minCount, minTracked) else { return nil }
        return self.consensus.motion()
    }

    /// Shift of the whole picture with the least mean absolute difference, by exhaustive block matching.
    private static func globalShift(from keyframe: borrowing GrayPlane, to current: borrowing GrayPlane)
        -> (x: Int, y: Int)
    {
        let (width, height) = (current.width, current.height)
        var best = (error: Float.infinity, x: 0, y: 0)
        for dy in -Tuning.searchRadius...Tuning.searchRadius {
            for dx in -Tuning.searchRadius...Tuning.searchRadius {
                let (left, right) = (max(0, -dx), min(width, width - dx))
                let (top, bottom) = (max(0, -dy), min(height, height - dy))
                guard right - left > width / 2, bottom - top > height / 2 else { continue }
                var sum: UInt32 = 0
                for y in top..<bottom {
                    let before = keyframe.base + y * width + left
                    let after = current.base + (y + dy) * width + left + dx
                    var row: UInt32 = 0
                    for x in 0..<right - left {
                        row &+= UInt32(max(before[x], after[x]) &- min(before[x], after[x]))
                    }
                    sum &+= row
                }
                let error = Float(sum) / Float((right - left) * (bottom - top))
                if error < best.error { best = (error, dx, dy) }
            }
        }
        return (best.x, best.y)
    }
}
