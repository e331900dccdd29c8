internal import TextModel

/// Finds lines again by their pixels.
struct LineMatcher {
    /// Where a line is, and how far it scans as it did.
    struct Match {
        /// From the frame in which the patch was taken to this one.
        var motion: Affine
        /// The greatest difference in any part of the line as large as a stroke, as a fraction of the line's contrast.
        var difference: Float
        /// How alike all of it is, 1 where it is the same.
        var likeness: Float
    }

    private var sample: [Float] = []
    private var template: [Float] = []
    private var blurred: [Float] = []
    private var row: [Float] = []

    /// Looks for a patch near where `guess` takes it.
    ///
    /// - Parameters:
    ///   - patch: The line as it was.
    ///   - frame: The frame to look in, reduced.
    ///   - guess: From the patch's frame to this one.
    /// - Returns: The match; `nil` where the line lies outside the frame, or nothing there is like it.
    mutating func find(_ patch: LinePatch, in frame: borrowing Pyramid, guess: Affine) -> Match? {
        var place = patch.place.then(guess)
        let coarse = place.halved
        guard
            let found = self.align(
                patch.coarse,
                width: patch.width / 2,
                height: patch.height / 2,
                to: frame.half,
                from: coarse,
                rounds: 6
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
                rounds: 4
            )
        else { return nil }
        guard let back = patch.place.inverse else { return nil }
        let verdict = self.compare(patch.width, patch.height)
        return Match(motion: back.then(fine), difference: verdict.difference, likeness: verdict.likeness)
    }

    /// Moves `place` to where the frame scans most like the template (inverse compositional alignment: Baker and Matthews,
    /// Lucas-Kanade 20 years on, International Journal of Computer Vision 56, 2004), and leaves both in ``sample`` and
    /// ``template``, as bright and as rich in contrast as each other.
    private mutating func align(
        _ values: [UInt8],
        width: Int,
        height: Int,
        to plane: borrowing GrayPlane,
        from start: Affine,
        rounds: Int
    ) -> Affine? {
        let count = width * height
        if self.template.count < count {
            self.template = [Float](repeating: 0, count: count)
            self.sample = self.template
            self.blurred = self.template
        }
        for index in 0..<count { self.template[index] = Float(values[index]) }
        guard Self.normalize(&self.template, count) else { return nil }
        // Turn and scale cannot be separated from shift in short lines; theirs are the camera's.
        let isLong = width >= 3 * height
        let hessian = self.hessian(width: width, height: height)
        var place = start
        for round in 0...rounds {
            guard self.take(plane, at: place, width: width, height: height), Self.normalize(&self.sample, count) else {
                return nil
            }
            if round == rounds { break }
            let sum = self.steepestDescent(width: width, height: height)
            guard let step = hessian.solve(sum, isShiftOnly: !isLong) else { return nil }
            place = Affine(undoing: step, width: Float(width), height: Float(height)).then(place)
            let distance = place.distance(from: start, width: Float(width), height: Float(height))
            guard distance < max(6, Float(height)) else { return nil }
            if abs(step.x) + abs(step.y) + abs(step.z) + abs(step.w) < 0.03 {
                let isTaken = self.take(plane, at: place, width: width, height: height)
                guard isTaken, Self.normalize(&self.sample, count) else { return nil }
                break
            }
        }
        return place
    }

    /// The derivatives of a template's pixel by shift, scale and turn about the middle.
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

    /// The Gauss-Newton approximation of the Hessian of ``template``.
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

    /// The derivatives of ``template`` times what ``sample`` differs by.
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

    /// Takes the pixels at `place`; `false` where they lie outside the frame for the most part.
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
        return true
    }

    /// Gives values a mean of 0 and a deviation of 1; `false` where they vary no more than `leastVariance`, for pixels that of
    /// noise.
    private static func normalize(_ values: inout [Float], _ count: Int, leastVariance: Float = 4) -> Bool {
        values.withUnsafeMutableBytes { bytes in
            let values = bytes.assumingMemoryBound(to: Float.self)
            var (sum, squares) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var index = 0
            while index + 8 <= count {
                let eight = bytes.loadUnaligned(
                    fromByteOffset: index * MemoryLayout<Float>.stride,
                    as: SIMD8<Float>.self
                )
                sum += eight
                squares += eight * eight
                index += 8
            }
            var (total, square) = (sum.sum(), squares.sum())
            while index < count {
                total += values[index]
                square += values[index] * values[index]
                index += 1
            }
            let mean = total / Float(count)
            let variance = square / Float(count) - mean * mean
            guard variance > leastVariance else { return false }
            let scale = 1 / variance.squareRoot()
            for index in 0..<count { values[index] = (values[index] - mean) * scale }
            return true
        }
    }
}

extension LineMatcher {
    /// How far ``sample`` scans like ``template``; a sample that is not as sharp is compared with a template as blurred.
    private mutating func compare(_ width: Int, _ height: Int) -> (difference: Float, likeness: Float) {
        let count = width * height
        let sharpness =
            Self.sharpness(self.sample, width: width, height: height)
            / max(Self.sharpness(self.template, width: width, height: height), 1e-6)
        var best = self.difference(self.sample, self.template, width: width, height: height)
        var likeness = Self.likeness(self.sample, self.template, count: count)
        for reach in [1, 2] where best > Self.sureDifference {
            if sharpness < 1 {
                self.blur(self.template, width: width, height: height, radius: reach)
                guard Self.normalize(&self.blurred, count, leastVariance: 0.02) else { break }
                best = min(best, self.difference(self.sample, self.blurred, width: width, height: height))
                likeness = max(likeness, Self.likeness(self.sample, self.blurred, count: count))
            } else {
                self.blur(self.sample, width: width, height: height, radius: reach)
                guard Self.normalize(&self.blurred, count, leastVariance: 0.02) else { break }
                best = min(best, self.difference(self.blurred, self.template, width: width, height: height))
                likeness = max(likeness, Self.likeness(self.blurred, self.template, count: count))
            }
        }
        return (best, likeness)
    }

    /// Differences up to this need no second look.
    private static let sureDifference: Float = 0.15

    /// The greatest mean difference in a square as large as a stroke is wide and some more.
    private func difference(_ a: [Float], _ b: [Float], width: Int, height: Int) -> Float {
        let side = max(3, height / 4)
        var worst: Float = 0
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                for top in stride(from: 0, through: height - side, by: max(1, side / 2)) {
                    for left in stride(from: 0, through: width - side, by: max(1, side / 2)) {
                        var sum: Float = 0
                        for y in top..<top + side {
                            for x in left..<left + side { sum += a[y * width + x] - b[y * width + x] }
                        }
                        worst = max(worst, abs(sum))
                    }
                }
            }
        }
        // From darkest to brightest, lines of text span some three deviations.
        return worst / Float(side * side) / 3
    }

    private static func likeness(_ a: [Float], _ b: [Float], count: Int) -> Float {
        var sum: Float = 0
        for index in 0..<count { sum += a[index] * b[index] }
        return sum / Float(count)
    }

    private static func sharpness(_ values: [Float], width: Int, height: Int) -> Float {
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

    /// Fills ``blurred`` with the means over squares that reach so far.
    private mutating func blur(_ values: [Float], width: Int, height: Int, radius reach: Int) {
        let weight = 1 / Float(2 * reach + 1)
        if self.row.count < width * height { self.row = [Float](repeating: 0, count: width * height) }
        for y in 0..<height {
            for x in 0..<width {
                var sum: Float = 0
                for near in x - reach...x + reach { sum += values[y * width + max(0, min(width - 1, near))] }
                self.row[y * width + x] = sum * weight
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                var sum: Float = 0
                for near in y - reach...y + reach { sum += self.row[max(0, min(height - 1, near)) * width + x] }
                self.blurred[y * width + x] = sum * weight
            }
        }
    }
}

extension Affine {
    /// The inverse of a small step of a template: a shift, a scale and a turn about the middle.
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

    /// The same place where both planes are half as large.
    fileprivate var halved: Affine { self.scaled(by: 0.5) }

    /// The same place where both planes are twice as large.
    fileprivate var doubled: Affine { self.scaled(by: 2) }
}
