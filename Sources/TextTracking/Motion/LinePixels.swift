internal import TextModel

/// Pixels of a rectified line, row by row, in memory that the next line reuses.
struct LinePixels {
    private enum Tuning {
        /// Least variance of a line with contrast, in squared steps of brightness; chosen by eye.
        static let minVariance: Float = 4
        /// Least variance of normalised pixels after a blur; chosen by eye.
        static let minBlurredVariance: Float = 0.02
        /// Side of the squares that are compared: the line's height over this number, a stroke and some more.
        ///
        /// Chosen by eye.
        static let strokeDivisor = 4
        /// Least side of these squares in pixels; chosen by eye.
        static let minStroke = 3
        /// Contrast of a line of text, from darkest to brightest, in standard deviations of its pixels; chosen by eye.
        static let contrast: Float = 3
    }

    /// Mean and variance of pixels.
    struct Moments {
        let mean: Float
        let variance: Float
    }

    private(set) var width = 0
    private(set) var height = 0
    /// Pixels; those behind the last row are left from larger lines.
    private(set) var values: [Float] = []

    private var count: Int { self.width * self.height }

    /// Moments of pixels as bright as a frame's; `nil` where they have no contrast.
    var moments: Moments? { self.moments(minVariance: Tuning.minVariance) }

    /// Moments of blurred pixels, which were normalised before; `nil` where they have no contrast any more.
    var blurredMoments: Moments? { self.moments(minVariance: Tuning.minBlurredVariance) }

    /// Sum of squared differences between neighbouring pixels.
    var sharpness: Float {
        let (width, values) = (self.width, self.values)
        var sum: Float = 0
        for y in 0..<self.height {
            for x in 1..<width {
                let step = values[y * width + x] - values[y * width + x - 1]
                sum += step * step
            }
        }
        for index in width..<self.count {
            let step = values[index] - values[index - width]
            sum += step * step
        }
        return sum
    }

    /// Loads the pixels of a line, row by row.
    mutating func load(_ pixels: [UInt8], width: Int, height: Int) {
        self.resize(width: width, height: height)
        for index in 0..<self.count { self.values[index] = Float(pixels[index]) }
    }

    /// Loads the pixels of a plane at `place`, by interpolation; `false` where the line's middle lies outside the plane.
    mutating func load(_ plane: borrowing GrayPlane, at place: Affine, width: Int, height: Int) -> Bool {
        let (limitX, limitY) = (Float(plane.width) - 2, Float(plane.height) - 2)
        func isInside(_ point: Point) -> Bool { point.x >= 1 && point.y >= 1 && point.x < limitX && point.y < limitY }
        let isInside =
            isInside(place(0, 0)) && isInside(place(Float(width), 0)) && isInside(place(0, Float(height)))
            && isInside(place(Float(width), Float(height)))
        let middle = place(Float(width) / 2, Float(height) / 2)
        guard middle.x > 0, middle.y > 0, middle.x < limitX, middle.y < limitY else { return false }
        self.resize(width: width, height: height)
        self.values.withUnsafeMutableBufferPointer { values in
            for y in 0..<height {
                var point = place(0.5, Float(y) + 0.5)
                point.x -= 0.5
                point.y -= 0.5
                let row = y * width
                if isInside {
                    for x in 0..<width {
                        values[row + x] = plane.value(point.x + place.a * Float(x), point.y + place.c * Float(x))
                    }
                } else {
                    for x in 0..<width {
                        values[row + x] = plane.clampedValue(
                            point.x + place.a * Float(x),
                            point.y + place.c * Float(x)
                        )
                    }
                }
            }
        }
        return true
    }

    private mutating func resize(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        if self.values.count < self.count { self.values = [Float](repeating: 0, count: self.count) }
    }

    private func moments(minVariance: Float) -> Moments? {
        let count = self.count
        return self.values.withUnsafeBytes { bytes in
            let values = bytes.assumingMemoryBound(to: Float.self)
            var (sum, squares) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            let lanes = SIMD8<Float>.scalarCount
            var index = 0
            while index + lanes <= count {
                let vector = bytes.loadUnaligned(
                    fromByteOffset: index * MemoryLayout<Float>.stride,
                    as: SIMD8<Float>.self
                )
                sum += vector
                squares += vector * vector
                index += lanes
            }
            var (total, square) = (sum.sum(), squares.sum())
            while index < count {
                total += values[index]
                square += values[index] * values[index]
                index += 1
            }
            let mean = total / Float(count)
            let variance = square / Float(count) - mean * mean
            return variance > minVariance ? Moments(mean: mean, variance: variance) : nil
        }
    }

    /// Normalises the pixels, of these moments, to a mean of 0 and a standard deviation of 1.
    mutating func normalize(by moments: Moments) {
        let (mean, scale) = (moments.mean, 1 / moments.variance.squareRoot())
        let count = self.count
        self.values.withUnsafeMutableBufferPointer { values in
            for index in 0..<count { values[index] = (values[index] - mean) * scale }
        }
    }
}

extension LinePixels {
    /// Largest mean difference from other pixels in a square the size of a stroke, as a share of the line's contrast.
    func difference(from other: LinePixels) -> Float {
        let (width, height) = (self.width, self.height)
        let side = max(Tuning.minStroke, height / Tuning.strokeDivisor)
        let step = max(1, side / 2)
        let (lastTop, lastLeft) = (height - side, width - side)
        var worst: Float = 0
        self.values.withUnsafeBufferPointer { a in
            other.values.withUnsafeBufferPointer { b in
                // The last squares end where the line does.
                for top in stride(from: 0, to: lastTop + step, by: step).lazy.map({ min($0, lastTop) }) {
                    for left in stride(from: 0, to: lastLeft + step, by: step).lazy.map({ min($0, lastLeft) }) {
                        var sum: Float = 0
                        for y in top..<top + side {
                            for x in left..<left + side { sum += a[y * width + x] - b[y * width + x] }
                        }
                        worst = max(worst, abs(sum))
                    }
                }
            }
        }
        return worst / Float(side * side) / Tuning.contrast
    }

    /// Normalised cross-correlation with other pixels, both of them normalised.
    func correlation(with other: LinePixels) -> Float {
        let (a, b) = (self.values, other.values)
        var sum: Float = 0
        for index in 0..<self.count { sum += a[index] * b[index] }
        return sum / Float(self.count)
    }

    /// Loads other pixels, each row after a box blur along it.
    mutating func load(_ other: LinePixels, blurringRows radius: Int) {
        self.resize(width: other.width, height: other.height)
        let (width, weight) = (self.width, 1 / Float(2 * radius + 1))
        for y in 0..<self.height {
            for x in 0..<width {
                var sum: Float = 0
                for near in x - radius...x + radius { sum += other.values[y * width + max(0, min(width - 1, near))] }
                self.values[y * width + x] = sum * weight
            }
        }
    }

    /// Loads other pixels, each column after a box blur along it.
    mutating func load(_ other: LinePixels, blurringColumns radius: Int) {
        self.resize(width: other.width, height: other.height)
        let (width, height, weight) = (self.width, self.height, 1 / Float(2 * radius + 1))
        for y in 0..<height {
            for x in 0..<width {
                var sum: Float = 0
                for near in y - radius...y + radius { sum += other.values[max(0, min(height - 1, near)) * width + x] }
                self.values[y * width + x] = sum * weight
            }
        }
    }
}
