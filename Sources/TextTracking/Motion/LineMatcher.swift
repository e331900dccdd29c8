internal import TextModel

/// Template matching of lines: aligns a line's template with a frame, and compares their pixels.
struct LineMatcher {
    private enum Tuning {
        /// Iterations of the alignment at most, at half size and at full size; chosen by eye.
        static let (coarseIterations, fineIterations) = (6, 4)
        /// Width, in heights, from which a template is aligned by rotation and scale too.
        ///
        /// They cannot be separated from translation in shorter ones, which take the camera's. Chosen by eye.
        static let minAspect: Float = 3
        /// The same of a large template, which has enough pixels to separate them although it is shorter.
        ///
        /// The box of a stop sign that came nearer kept its size, which cut off its text (streams log, *Places that are scanned
        /// again*). Chosen by eye.
        static let minLargeAspect: Float = 1.5
        /// Largest displacement of a corner from the prediction in pixels, or the template's height if that is more.
        ///
        /// Chosen by eye.
        static let maxDisplacement: Float = 6
        /// Step with which the alignment has converged: the sum of its four parameters in pixels.
        ///
        /// Chosen by eye.
        static let convergence: Float = 0.03
        /// Least variance of a template with contrast, in squared steps of brightness; chosen by eye.
        static let minVariance: Float = 4
        /// Least variance of normalised pixels after a blur; chosen by eye.
        static let minBlurredVariance: Float = 0.02
        /// Least sharpness of a template that another is divided by.
        static let minSharpness: Float = 1e-6
        /// Radii of the box blurs by which a template and a sample are made equally sharp, in pixels.
        ///
        /// Chosen by eye.
        static let blurRadii = [1, 2]
        /// Largest difference of a match that needs no blur, as a share of the line's contrast; chosen by eye.
        static let sharpDifference: Float = 0.15
        /// Side of the squares that are compared: the template's height over this number, a stroke and some more.
        ///
        /// Chosen by eye.
        static let strokeDivisor = 4
        /// Least side of these squares in pixels; chosen by eye.
        static let minStroke = 3
        /// Contrast of a line of text, from darkest to brightest, in standard deviations of its pixels; chosen by eye.
        static let contrast: Float = 3
    }

    /// Match of a line in a frame.
    struct Match {
        /// Motion from the frame in which the template was taken to this one.
        var motion: Affine
        /// Largest difference in any part of the line the size of a stroke, as a share of the line's contrast.
        var difference: Float
        /// Normalised cross-correlation of template and frame, at most 1.
        var correlation: Float
        /// Legibility of the line in this frame, to be compared with ``LinePatch/legibility``.
        var legibility: Float
    }

    private var sample: [Float] = []
    /// Variance of ``sample`` before it was normalised, in squared steps of brightness.
    private var sampleVariance: Float = 0
    private var template: [Float] = []
    private var blurred: [Float] = []
    private var row: [Float] = []

    /// Matches a template near its predicted place.
    ///
    /// - Parameters:
    ///   - patch: The template.
    ///   - frame: The frame to search, reduced.
    ///   - prediction: The motion from the template's frame to this one.
    /// - Returns: The match; `nil` where the line lies outside the frame, or the alignment does not converge.
    mutating func match(_ patch: LinePatch, in frame: borrowing Pyramid, prediction: Affine) -> Match? {
        var place = patch.place.then(prediction)
        let coarse = place.halved
        let isShiftOnly = patch.aspect < (patch.isLarge ? Tuning.minLargeAspect : Tuning.minAspect)
        guard
            let found = self.align(
                patch.coarse,
                width: patch.width / 2,
                height: patch.height / 2,
                to: frame.half,
                from: coarse,
                isShiftOnly: isShiftOnly,
                iterations: Tuning.coarseIterations
            )
        else { return nil }
        place = found.doubled
        guard
            let fine = self.align(
                patch.values,
                width: patch.width,
                height: patch.height,
                to: frame.full,
                from: place,
                isShiftOnly: isShiftOnly,
                iterations: Tuning.fineIterations
            )
        else { return nil }
        guard let back = patch.place.inverse else { return nil }
        let sharpness = Self.sharpness(self.sample, width: patch.width, height: patch.height)
        let (difference, correlation) = self.compare(patch.width, patch.height, sampleSharpness: sharpness)
        let motion = back.then(fine)
        return Match(
            motion: motion,
            difference: difference,
            correlation: correlation,
            legibility: self.sampleVariance * sharpness / Float(patch.width * patch.height) * motion.areaFactor
        )
    }

    /// Aligns a template with a plane, and leaves the pixels of both, normalised, in ``template`` and ``sample``.
    ///
    /// This is inverse compositional alignment (Baker and Matthews, Lucas-Kanade 20 years on, International Journal of Computer
    /// Vision 56, 2004).
    private mutating func align(
        _ values: [UInt8],
        width: Int,
        height: Int,
        to plane: borrowing GrayPlane,
        from start: Affine,
        isShiftOnly: Bool,
        iterations: Int
    ) -> Affine? {
        let count = width * height
        if self.template.count < count {
            self.template = [Float](repeating: 0, count: count)
            self.sample = self.template
            self.blurred = self.template
        }
        for index in 0..<count { self.template[index] = Float(values[index]) }
        guard Self.normalize(&self.template, count) != nil else { return nil }
        let hessian = self.hessian(width: width, height: height)
        var place = start
        for iteration in 0...iterations {
            guard self.take(plane, at: place, width: width, height: height) else { return nil }
            if iteration == iterations { break }
            let sum = self.steepestDescent(width: width, height: height)
            guard let step = hessian.solve(sum, isShiftOnly: isShiftOnly) else { return nil }
            place = Affine(undoing: step, width: Float(width), height: Float(height)).then(place)
            let distance = place.distance(from: start, width: Float(width), height: Float(height))
            guard distance < max(Tuning.maxDisplacement, Float(height)) else { return nil }
            if abs(step.x) + abs(step.y) + abs(step.z) + abs(step.w) < Tuning.convergence {
                guard self.take(plane, at: place, width: width, height: height) else { return nil }
                break
            }
        }
        return place
    }

    /// Derivatives of a template's pixel by translation, scale and rotation about the middle.
    private static func derivatives(
        _ template: UnsafeBufferPointer<Float>,
        x: Int,
        y: Int,
        width: Int,
        middle: Point
    ) -> SIMD4<Float> {
        let (index, unit) = (y * width + x, 1 / middle.x)
        let gx = (template[index + 1] - template[index - 1]) / 2
        let gy = (template[index + width] - template[index - width]) / 2
        let (u, v) = ((Float(x) + 0.5 - middle.x) * unit, (Float(y) + 0.5 - middle.y) * unit)
        return SIMD4(gx, gy, gx * u + gy * v, gy * u - gx * v)
    }

    /// Gauss-Newton approximation of the Hessian of ``template``.
    private func hessian(width: Int, height: Int) -> Symmetric4 {
        let middle = Point(x: Float(width) / 2, y: Float(height) / 2)
        var hessian = Symmetric4()
        self.template.withUnsafeBufferPointer { template in
            for y in 1..<height - 1 {
                for x in 1..<width - 1 {
                    hessian.add(Self.derivatives(template, x: x, y: y, width: width, middle: middle))
                }
            }
        }
        return hessian
    }

    /// Steepest descent: the derivatives of ``template`` times its differences to ``sample``.
    private func steepestDescent(width: Int, height: Int) -> SIMD4<Float> {
        let middle = Point(x: Float(width) / 2, y: Float(height) / 2)
        var sum = SIMD4<Float>.zero
        self.template.withUnsafeBufferPointer { template in
            self.sample.withUnsafeBufferPointer { sample in
                for y in 1..<height - 1 {
                    for x in 1..<width - 1 {
                        let error = sample[y * width + x] - template[y * width + x]
                        sum += Self.derivatives(template, x: x, y: y, width: width, middle: middle) * error
                    }
                }
            }
        }
        return sum
    }

    /// Samples the pixels at `place`, normalised; `false` where their centre lies outside the frame or they vary too little.
    private mutating func take(_ plane: borrowing GrayPlane, at place: Affine, width: Int, height: Int) -> Bool {
        let (limitX, limitY) = (Float(plane.width) - 2, Float(plane.height) - 2)
        func isInside(_ point: Point) -> Bool { point.x >= 1 && point.y >= 1 && point.x < limitX && point.y < limitY }
        let isInside =
            isInside(place(0, 0)) && isInside(place(Float(width), 0)) && isInside(place(0, Float(height)))
            && isInside(place(Float(width), Float(height)))
        let middle = place(Float(width) / 2, Float(height) / 2)
        guard middle.x > 0, middle.y > 0, middle.x < limitX, middle.y < limitY else { return false }
        self.sample.withUnsafeMutableBufferPointer { sample in
            for y in 0..<height {
                var point = place(0.5, Float(y) + 0.5)
                point.x -= 0.5
                point.y -= 0.5
                let row = y * width
                if isInside {
                    for x in 0..<width {
                        sample[row + x] = plane.value(point.x + place.a * Float(x), point.y + place.c * Float(x))
                    }
                } else {
                    for x in 0..<width {
                        sample[row + x] = plane.clampedValue(
                            point.x + place.a * Float(x),
                            point.y + place.c * Float(x)
                        )
                    }
                }
            }
        }
        guard let variance = Self.normalize(&self.sample, width * height) else { return false }
        self.sampleVariance = variance
        return true
    }

    /// Normalises values to a mean of 0 and a standard deviation of 1.
    ///
    /// - Returns: Their variance; `nil` where they vary too little.
    private static func normalize(
        _ values: inout [Float],
        _ count: Int,
        minVariance: Float = Tuning.minVariance
    ) -> Float? {
        values.withUnsafeMutableBytes { bytes in
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
            guard variance > minVariance else { return nil }
            let scale = 1 / variance.squareRoot()
            for index in 0..<count { values[index] = (values[index] - mean) * scale }
            return variance
        }
    }
}

extension LineMatcher {
    /// Compares ``sample`` with ``template``, the sharper of which is also blurred as the other one may be.
    private mutating func compare(
        _ width: Int,
        _ height: Int,
        sampleSharpness: Float
    ) -> (difference: Float, correlation: Float) {
        let count = width * height
        let templateSharpness = Self.sharpness(self.template, width: width, height: height)
        let sharpness = sampleSharpness / max(templateSharpness, Tuning.minSharpness)
        var best = self.difference(self.sample, self.template, width: width, height: height)
        var correlation = Self.correlation(self.sample, self.template, count: count)
        for radius in Tuning.blurRadii where best > Tuning.sharpDifference {
            if sharpness < 1 {
                self.blur(self.template, width: width, height: height, radius: radius)
                guard Self.normalize(&self.blurred, count, minVariance: Tuning.minBlurredVariance) != nil else { break }
                best = min(best, self.difference(self.sample, self.blurred, width: width, height: height))
                correlation = max(correlation, Self.correlation(self.sample, self.blurred, count: count))
            } else {
                self.blur(self.sample, width: width, height: height, radius: radius)
                guard Self.normalize(&self.blurred, count, minVariance: Tuning.minBlurredVariance) != nil else { break }
                best = min(best, self.difference(self.blurred, self.template, width: width, height: height))
                correlation = max(correlation, Self.correlation(self.blurred, self.template, count: count))
            }
        }
        return (best, correlation)
    }

    /// Largest mean difference in a square the size of a stroke, as a share of the line's contrast.
    private func difference(_ a: [Float], _ b: [Float], width: Int, height: Int) -> Float {
        let side = max(Tuning.minStroke, height / Tuning.strokeDivisor)
        let step = max(1, side / 2)
        let (lastTop, lastLeft) = (height - side, width - side)
        var worst: Float = 0
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                // The last squares end where the template does.
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

    /// Normalised cross-correlation of normalised values.
    private static func correlation(_ a: [Float], _ b: [Float], count: Int) -> Float {
        var sum: Float = 0
        for index in 0..<count { sum += a[index] * b[index] }
        return sum / Float(count)
    }

    /// Sum of squared differences between neighbouring pixels.
    static func sharpness(_ values: [Float], width: Int, height: Int) -> Float {
        var sum: Float = 0
        for y in 0..<height {
            for x in 1..<width {
                let step = values[y * width + x] - values[y * width + x - 1]
                sum += step * step
            }
        }
        for index in width..<width * height {
            let step = values[index] - values[index - width]
            sum += step * step
        }
        return sum
    }

    /// Fills ``blurred`` with `values` after a box blur.
    private mutating func blur(_ values: [Float], width: Int, height: Int, radius: Int) {
        let weight = 1 / Float(2 * radius + 1)
        if self.row.count < width * height { self.row = [Float](repeating: 0, count: width * height) }
        for y in 0..<height {
            for x in 0..<width {
                var sum: Float = 0
                for near in x - radius...x + radius { sum += values[y * width + max(0, min(width - 1, near))] }
                self.row[y * width + x] = sum * weight
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                var sum: Float = 0
                for near in y - radius...y + radius { sum += self.row[max(0, min(height - 1, near)) * width + x] }
                self.blurred[y * width + x] = sum * weight
            }
        }
    }
}

extension Affine {
    /// Inverse of a small step of a template: translation, scale and rotation about the middle.
    fileprivate init(undoing step: SIMD4<Float>, width: Float, height: Float) {
        let (middleX, middleY) = (width / 2, height / 2)
        let (scale, turn) = (step.z * (1 / middleX), step.w * (1 / middleX))
        self.init(
            a: 1 - scale,
            b: turn,
            tx: -step.x + scale * middleX - turn * middleY,
            c: -turn,
            d: 1 - scale,
            ty: -step.y + turn * middleX + scale * middleY
        )
    }

    /// Map between planes of half the size.
    fileprivate var halved: Affine { self.scaled(by: 0.5) }

    /// Map between planes of twice the size.
    fileprivate var doubled: Affine { self.scaled(by: 2) }
}
