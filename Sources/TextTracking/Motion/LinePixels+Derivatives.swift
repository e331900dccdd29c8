internal import TextModel

/// Derivatives of normalised pixels by translation, scale and rotation of the line about its middle.
extension LinePixels {
    /// Gauss-Newton approximation of the Hessian of the squared differences to other pixels.
    var hessian: Symmetric4 {
        let (width, height, middle) = (self.width, self.height, self.middle)
        var hessian = Symmetric4()
        self.values.withUnsafeBufferPointer { values in
            for y in 1..<height - 1 {
                for x in 1..<width - 1 {
                    hessian.add(Self.derivatives(values, x: x, y: y, width: width, middle: middle))
                }
            }
        }
        return hessian
    }

    /// Steepest descent: the derivatives times the differences to other pixels.
    func steepestDescent(to other: LinePixels) -> SIMD4<Float> {
        let (width, height, middle) = (self.width, self.height, self.middle)
        var sum = SIMD4<Float>.zero
        self.values.withUnsafeBufferPointer { values in
            other.values.withUnsafeBufferPointer { others in
                for y in 1..<height - 1 {
                    for x in 1..<width - 1 {
                        let error = others[y * width + x] - values[y * width + x]
                        sum += Self.derivatives(values, x: x, y: y, width: width, middle: middle) * error
                    }
                }
            }
        }
        return sum
    }

    private var middle: Point { Point(x: Float(self.width) / 2, y: Float(self.height) / 2) }

    /// Derivatives of a pixel that is not on the line's edge.
    private static func derivatives(
        _ values: UnsafeBufferPointer<Float>,
        x: Int,
        y: Int,
        width: Int,
        middle: Point
    ) -> SIMD4<Float> {
        let (index, unit) = (y * width + x, 1 / middle.x)
        let gx = (values[index + 1] - values[index - 1]) / 2
        let gy = (values[index + width] - values[index - width]) / 2
        let (u, v) = ((Float(x) + 0.5 - middle.x) * unit, (Float(y) + 0.5 - middle.y) * unit)
        return SIMD4(gx, gy, gx * u + gy * v, gy * u - gx * v)
    }
}
