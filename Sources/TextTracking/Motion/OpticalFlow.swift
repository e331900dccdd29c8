internal import TextModel

/// Sparse optical flow: tracks the window around a corner from one plane to another.
///
/// Lucas and Kanade, An iterative image registration technique with an application to stereo vision, IJCAI 1981.
enum OpticalFlow {
    /// Radius of the window in pixels; chosen by eye.
    static let radius = 6

    private enum Tuning {
        /// Least determinant of the structure tensor as a share of its squared trace: less is an edge.
        ///
        /// Chosen by eye.
        static let minDeterminant: Float = 1e-3
        /// Least mean squared gradient of a window, in squared steps of brightness: less is plain ground.
        ///
        /// Chosen by eye.
        static let minGradient: Float = 2
        /// Iterations at most; chosen by eye.
        static let iterations = 8
        /// Largest shift beyond the first estimate along either axis, in pixels; chosen by eye.
        static let maxShift: Float = 6
        /// Squared length of a step with which the iteration has converged, in pixels: a fiftieth of a pixel.
        ///
        /// Chosen by eye.
        static let convergence: Float = 4e-4
        /// Largest mean squared residual, in squared steps of brightness; chosen by eye.
        ///
        /// It is a share of the mean squared gradient, and an allowance for noise.
        static let maxResidual: (share: Float, noise: Float) = (0.35, 30)
        /// Margin around the window in the later plane in pixels, by which rounding cannot lead beyond the plane.
        static let margin: Float = 1
        /// Least distance of a corner from the edges of the later plane.
        ///
        /// With that of the window alone, 7 pixels at rest, a camera's motion was taken from what comes in at the edges: news with
        /// cuts had 0.987 instead of 0.997 of their words (streams log, *Corners near the edges*).
        static let minDistance: Float = 11
    }

    /// Structure tensor of a window: the sums of the products of its gradients.
    private struct StructureTensor {
        var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
        var determinant: Float { self.xx * self.yy - self.xy * self.xy }
        var trace: Float { self.xx + self.yy }
    }

    /// Residual between the windows of both planes.
    private struct Residual {
        /// Sum of gradients times differences, without what a change of brightness adds to both.
        var (x, y): (Float, Float) = (0, 0)
        /// Variance of the differences.
        var error: Float = 0
    }

    /// Number of pixels in a window.
    private static let windowCount = Float((2 * Self.radius + 1) * (2 * Self.radius + 1))

    /// Tracks the window around a pixel.
    ///
    /// - Parameters:
    ///   - corner: The pixel of the keyframe.
    ///   - keyframe: The earlier frame.
    ///   - current: The later frame.
    ///   - prediction: The motion between both, which also turns and scales the window.
    ///   - start: The first estimate of the shift beyond the prediction.
    /// - Returns: The shift beyond the prediction; `nil` if the window is not found.
    static func shift(
        of corner: CornerDetector.Corner,
        from keyframe: borrowing GrayPlane,
        to current: borrowing GrayPlane,
        prediction: Affine,
        start: Point
    ) -> Point? {
        let (x, y, radius) = (corner.x, corner.y, Self.radius)
        guard x > radius, y > radius, x < keyframe.width - radius - 1, y < keyframe.height - radius - 1 else {
            return nil
        }
        let tensor = Self.structureTensor(of: keyframe, around: corner)
        let (trace, determinant) = (tensor.trace, tensor.determinant)
        guard determinant > Tuning.minDeterminant * trace * trace, trace > Tuning.minGradient * Self.windowCount else {
            return nil
        }
        var shift = start
        var error: Float = .infinity
        for _ in 0..<Tuning.iterations {
            let predicted = prediction(Float(x) + 0.5, Float(y) + 0.5)
            let centre = Point(x: predicted.x + shift.x - 0.5, y: predicted.y + shift.y - 0.5)
            let residual = Self.residual(of: corner, in: keyframe, at: centre, of: current, prediction: prediction)
            guard let residual else { return nil }
            error = residual.error
            let stepX = (tensor.yy * residual.x - tensor.xy * residual.y) / determinant
            let stepY = (tensor.xx * residual.y - tensor.xy * residual.x) / determinant
            // Gradients are the keyframe's, as the prediction turns and scales little.
            shift.x -= stepX
            shift.y -= stepY
            guard abs(shift.x - start.x) < Tuning.maxShift, abs(shift.y - start.y) < Tuning.maxShift else { return nil }
            if stepX * stepX + stepY * stepY < Tuning.convergence { break }
        }
        let maxError = Tuning.maxResidual.share * trace / Self.windowCount + Tuning.maxResidual.noise
        return error < maxError ? shift : nil
    }

    private static func structureTensor(of plane: borrowing GrayPlane, around corner: CornerDetector.Corner)
        -> StructureTensor
    {
        var tensor = StructureTensor()
        let width = plane.width
        for row in corner.y - Self.radius...corner.y + Self.radius {
            for column in corner.x - Self.radius...corner.x + Self.radius {
                let pixel = plane.base + row * width + column
                let gx = Float(Int(pixel[1]) - Int(pixel[-1])) / 2
                let gy = Float(Int(pixel[width]) - Int(pixel[-width])) / 2
                tensor.xx += gx * gx
                tensor.xy += gx * gy
                tensor.yy += gy * gy
            }
        }
        return tensor
    }

    /// Residual of a corner's window at a point of the current frame; `nil` if the window reaches beyond it.
    private static func residual(
        of corner: CornerDetector.Corner,
        in keyframe: borrowing GrayPlane,
        at centre: Point,
        of current: borrowing GrayPlane,
        prediction: Affine
    ) -> Residual? {
        let (radius, width) = (Self.radius, keyframe.width)
        let reach = prediction.reach(of: Float(radius))
        let reachX = max(Tuning.minDistance, reach.x + Tuning.margin)
        let reachY = max(Tuning.minDistance, reach.y + Tuning.margin)
        guard centre.x - reachX > 0, centre.y - reachY > 0, centre.x + reachX < Float(current.width) - 1,
            centre.y + reachY < Float(current.height) - 1
        else { return nil }
        var residual = Residual()
        var mean: Float = 0
        var (sumX, sumY): (Float, Float) = (0, 0)
        for dy in -radius...radius {
            for dx in -radius...radius {
                let x = centre.x + prediction.a * Float(dx) + prediction.b * Float(dy)
                let y = centre.y + prediction.c * Float(dx) + prediction.d * Float(dy)
                let pixel = keyframe.base + (corner.y + dy) * width + corner.x + dx
                let difference = current.value(x, y) - Float(pixel[0])
                let gx = Float(Int(pixel[1]) - Int(pixel[-1])) / 2
                let gy = Float(Int(pixel[width]) - Int(pixel[-width])) / 2
                mean += difference
                residual.x += gx * difference
                residual.y += gy * difference
                sumX += gx
                sumY += gy
                residual.error += difference * difference
            }
        }
        mean /= Self.windowCount
        // A change of brightness is no motion.
        residual.x -= mean * sumX
        residual.y -= mean * sumY
        residual.error = residual.error / Self.windowCount - mean * mean
        return residual
    }
}
