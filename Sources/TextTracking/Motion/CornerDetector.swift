/// Corner detector: picks points that can be located along both axes, spread evenly over a plane.
///
/// The response is the determinant of the structure tensor over its trace (Noble, Finding corners, Image and Vision Computing
/// 6, 1988).
enum CornerDetector {
    private enum Tuning {
        /// Side of the squares of which each yields at most one corner, in pixels; chosen by eye.
        static let square = 24
        /// Step between tested pixels along both axes, in pixels; chosen by eye.
        static let step = 4
        /// Radius of the structure tensor's window in pixels; chosen by eye.
        static let radius = 4
        /// Distance of corners from the plane's edges in pixels: optical flow reads one pixel more than its window.
        static let border = OpticalFlow.radius + 2
        /// Least response for each pixel of the window, in squared steps of brightness across two pixels; chosen by
        /// eye.
        static let minResponse: Float = 30
    }

    /// Position of a corner in pixels of a plane.
    struct Corner {
        var x: Int
        var y: Int
    }

    /// Detects the corners of a plane: in each square the pixel with the strongest response.
    static func corners(of plane: borrowing GrayPlane) -> [Corner] {
        let (right, bottom) = (plane.width - Tuning.border, plane.height - Tuning.border)
        let side = 2 * Tuning.radius + 1
        let minResponse = Float(side * side) * Tuning.minResponse
        var corners: [Corner] = []
        for top in stride(from: Tuning.border, to: bottom, by: Tuning.square) {
            for left in stride(from: Tuning.border, to: right, by: Tuning.square) {
                var best: (response: Float, corner: Corner)?
                for y in stride(from: top, to: min(top + Tuning.square, bottom), by: Tuning.step) {
                    for x in stride(from: left, to: min(left + Tuning.square, right), by: Tuning.step) {
                        let response = Self.response(of: plane, x: x, y: y)
                        if response > best?.response ?? minResponse { best = (response, Corner(x: x, y: y)) }
                    }
                }
                if let best { corners.append(best.corner) }
            }
        }
        return corners
    }

    private static func response(of plane: borrowing GrayPlane, x: Int, y: Int) -> Float {
        let width = plane.width
        var (xx, xy, yy) = (0, 0, 0)
        for row in stride(from: y - Tuning.radius, through: y + Tuning.radius, by: 1) {
            let pixel = plane.base + row * width + x
            for column in -Tuning.radius...Tuning.radius {
                let gx = Int(pixel[column + 1]) - Int(pixel[column - 1])
                let gy = Int(pixel[column + width]) - Int(pixel[column - width])
                xx += gx * gx
                xy += gx * gy
                yy += gy * gy
            }
        }
        let (trace, determinant) = (Float(xx + yy), Float(xx) * Float(yy) - Float(xy) * Float(xy))
        return trace > 0 ? determinant / trace : 0
    }
}
