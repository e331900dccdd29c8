internal import TextModel

/// Finds how the whole picture moved from a keyframe to a later one.
///
/// Corners are picked in the keyframe, evenly over the picture; each is followed by itself (Lucas and Kanade, An iterative
/// image registration technique, IJCAI 1981), and the motion is the one that most of them agree on (Fischler and Bolles,
/// Random sample consensus, Communications of the ACM 24, 1981). Things that move by themselves are outvoted.
struct CameraMotion {
    private struct Corner {
        /// In pixels of the quarter plane.
        var x: Int
        var y: Int
    }

    private struct Match {
        var from: Point
        var to: Point
    }

    private var corners: [Corner]?
    private var matches: [Match] = []

    /// One corner is picked in each square of the quarter plane of this side.
    private static let square = 24
    /// A corner is followed by the pixels up to so far around it.
    private static let reach = 6
    /// Matches this near to a motion, in sent pixels, agree with it.
    private static let tolerance: Float = 2
    /// So many corners must agree at least.
    private static let leastMatches = 8
    /// How far the search for a jump goes, in pixels of the eighth plane.
    private static let jump = 14

    /// Says that the keyframe shows something else.
    mutating func keyframeChanged() { self.corners = nil }

    /// The motion from `keyframe` to `current` in sent pixels; `nil` where there is none that most of the picture shares.
    ///
    /// - Parameters:
    ///   - keyframe: The earlier frame, reduced.
    ///   - current: The later frame, reduced.
    ///   - guess: The motion up to the frame before.
    /// - Returns: Where a place of the keyframe lies in the current frame.
    mutating func estimate(
        from keyframe: borrowing Pyramid,
        to current: borrowing Pyramid,
        guess: Affine
    ) -> Affine? {
        let corners = self.corners ?? Self.corners(of: keyframe.quarter)
        self.corners = corners
        guard corners.count >= Self.leastMatches else { return nil }
        if let motion = self.follow(corners, from: keyframe, to: current, guess: guess) { return motion }
        let jump = Self.jump(from: keyframe.eighth, to: current.eighth)
        return self.follow(
            corners,
            from: keyframe,
            to: current,
            guess: Affine(x: 8 * Float(jump.x), y: 8 * Float(jump.y))
        )
    }

    private mutating func follow(
        _ corners: [Corner],
        from keyframe: borrowing Pyramid,
        to current: borrowing Pyramid,
        guess: Affine
    ) -> Affine? {
        self.matches.removeAll(keepingCapacity: true)
        for corner in corners {
            let start = Point(x: 0, y: 0)
            guard
                let coarse = Self.follow(
                    (corner.x, corner.y),
                    from: keyframe.quarter,
                    to: current.quarter,
                    guess: guess.scaled(by: 0.25),
                    start: start
                ),
                let fine = Self.follow(
                    (2 * corner.x, 2 * corner.y),
                    from: keyframe.half,
                    to: current.half,
                    guess: guess.scaled(by: 0.5),
                    start: Point(x: 2 * coarse.x, y: 2 * coarse.y)
                )
            else { continue }
            // Pixel centres lie at half coordinates.
            let from = Point(x: 4 * Float(corner.x) + 1, y: 4 * Float(corner.y) + 1)
            let guessed = guess(from)
            self.matches.append(Match(from: from, to: Point(x: guessed.x + 2 * fine.x, y: guessed.y + 2 * fine.y)))
        }
        guard self.matches.count >= max(Self.leastMatches, corners.count * 2 / 5) else { return nil }
        return self.consensus()
    }

    /// The structure tensor of the surroundings of a pixel: the sums of the products of their gradients.
    private struct StructureTensor {
        var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
        var determinant: Float { self.xx * self.yy - self.xy * self.xy }
    }

    /// What a pixel's surroundings differ by from where they are thought to be.
    private struct Residual {
        /// The gradients times the differences, less what a change of light makes of both.
        var (x, y): (Float, Float) = (0, 0)
        /// The mean square of the differences, less that of their mean.
        var error: Float = 0
    }

    /// The number of pixels that surround a corner.
    private static let patchCount = Float((2 * Self.reach + 1) * (2 * Self.reach + 1))

    /// Tracks the surroundings of a pixel (Lucas and Kanade, An Iterative Image Registration Technique, 1981).
    ///
    /// - Parameters:
    ///   - corner: The pixel of the keyframe.
    ///   - keyframe: The earlier frame.
    ///   - current: The later frame.
    ///   - guess: The motion between both, which also turns and scales the surroundings.
    ///   - start: The first estimate of the shift beyond the guess.
    /// - Returns: The shift beyond the guess; `nil` if the surroundings are not found.
    private static func follow(
        _ corner: (x: Int, y: Int),
        from keyframe: borrowing GrayPlane,
        to current: borrowing GrayPlane,
        guess: Affine,
        start: Point
    ) -> Point? {
        let (x, y, reach) = (corner.x, corner.y, Self.reach)
        guard x > reach, y > reach, x < keyframe.width - reach - 1, y < keyframe.height - reach - 1 else { return nil }
        let tensor = Self.structureTensor(of: keyframe, around: corner)
        let trace = tensor.xx + tensor.yy
        guard tensor.determinant > 1e-3 * trace * trace, trace > 20 * Self.patchCount / 10 else { return nil }
        var shift = start
        var lastError: Float = .infinity
        for _ in 0..<8 {
            let moved = guess(Float(x) + 0.5, Float(y) + 0.5)
            let centre = Point(x: moved.x + shift.x - 0.5, y: moved.y + shift.y - 0.5)
            let residual = Self.residual(of: corner, in: keyframe, at: centre, of: current, guess: guess)
            guard let residual else { return nil }
            lastError = residual.error
            let mx = (tensor.yy * residual.x - tensor.xy * residual.y) / tensor.determinant
            let my = (tensor.xx * residual.y - tensor.xy * residual.x) / tensor.determinant
            // Gradients are the keyframe's; the guess turns and scales little.
            shift.x -= mx
            shift.y -= my
            guard abs(shift.x - start.x) < 6, abs(shift.y - start.y) < 6 else { return nil }
            if mx * mx + my * my < 4e-4 { break }
        }
        // What is left must be small beside what there is to see.
        return lastError < 0.35 * trace / Self.patchCount + 30 ? shift : nil
    }

    private static func structureTensor(of plane: borrowing GrayPlane, around corner: (x: Int, y: Int))
        -> StructureTensor
    {
        var tensor = StructureTensor()
        let width = plane.width
        for row in corner.y - Self.reach...corner.y + Self.reach {
            for column in corner.x - Self.reach...corner.x + Self.reach {
                let place = plane.base + row * width + column
                let gx = Float(Int(place[1]) - Int(place[-1])) / 2
                let gy = Float(Int(place[width]) - Int(place[-width])) / 2
                tensor.xx += gx * gx
                tensor.xy += gx * gy
                tensor.yy += gy * gy
            }
        }
        return tensor
    }

    /// The residual of a corner's surroundings at a place of the current frame; `nil` if they reach beyond it.
    private static func residual(
        of corner: (x: Int, y: Int),
        in keyframe: borrowing GrayPlane,
        at centre: Point,
        of current: borrowing GrayPlane,
        guess: Affine
    ) -> Residual? {
        let (reach, width) = (Self.reach, keyframe.width)
        let span = Float(reach) * 1.5 + 2
        guard centre.x - span > 0, centre.y - span > 0, centre.x + span < Float(current.width) - 1,
            centre.y + span < Float(current.height) - 1
        else { return nil }
        var residual = Residual()
        var mean: Float = 0
        var (sumX, sumY): (Float, Float) = (0, 0)
        for dy in -reach...reach {
            for dx in -reach...reach {
                let px = centre.x + guess.a * Float(dx) + guess.b * Float(dy)
                let py = centre.y + guess.c * Float(dx) + guess.d * Float(dy)
                let place = keyframe.base + (corner.y + dy) * width + corner.x + dx
                let difference = current.value(px, py) - Float(place[0])
                let gx = Float(Int(place[1]) - Int(place[-1])) / 2
                let gy = Float(Int(place[width]) - Int(place[-width])) / 2
                mean += difference
                residual.x += gx * difference
                residual.y += gy * difference
                sumX += gx
                sumY += gy
                residual.error += difference * difference
            }
        }
        mean /= Self.patchCount
        // Light is no motion.
        residual.x -= mean * sumX
        residual.y -= mean * sumY
        residual.error = residual.error / Self.patchCount - mean * mean
        return residual
    }

    /// The corners of a plane: in each square the place that can be located best.
    private static func corners(of plane: borrowing GrayPlane) -> [Corner] {
        let width = plane.width
        let edge = Self.reach + 2
        var corners: [Corner] = []
        for top in stride(from: edge, to: plane.height - edge, by: Self.square) {
            for left in stride(from: edge, to: width - edge, by: Self.square) {
                var best: (score: Float, corner: Corner)?
                for y in stride(from: top, to: min(top + Self.square, plane.height - edge), by: 4) {
                    for x in stride(from: left, to: min(left + Self.square, width - edge), by: 4) {
                        var (xx, xy, yy) = (0, 0, 0)
                        for row in stride(from: y - 4, through: y + 4, by: 1) {
                            let place = plane.base + row * width + x
                            for column in -4...4 {
                                let gx = Int(place[column + 1]) - Int(place[column - 1])
                                let gy = Int(place[column + width]) - Int(place[column - width])
                                xx += gx * gx
                                xy += gx * gy
                                yy += gy * gy
                            }
                        }
                        let (sum, product) = (Float(xx + yy), Float(xx) * Float(yy) - Float(xy) * Float(xy))
                        let score = sum > 0 ? product / sum : 0
                        if score > best?.score ?? 81 * 30 { best = (score, Corner(x: x, y: y)) }
                    }
                }
                if let best { corners.append(best.corner) }
            }
        }
        return corners
    }

    /// The shift of the whole picture with the least mean difference.
    private static func jump(from keyframe: borrowing GrayPlane, to current: borrowing GrayPlane) -> (x: Int, y: Int) {
        let (width, height) = (current.width, current.height)
        var best = (error: Float.infinity, x: 0, y: 0)
        for dy in -Self.jump...Self.jump {
            for dx in -Self.jump...Self.jump {
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

extension CameraMotion {
    /// The motion that most matches agree on.
    private func consensus() -> Affine? {
        var random: UInt64 = 0x9E37_79B9
        func next() -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % self.matches.count
        }
        var best: (count: Int, motion: Affine)?
        for _ in 0..<60 {
            let (first, second) = (self.matches[next()], self.matches[next()])
            guard let motion = Self.similarity(first, second) else { continue }
            let count = self.matches.count { Self.isNear($0, motion) }
            if count > best?.count ?? 0 { best = (count, motion) }
        }
        guard let best, best.count >= Self.leastMatches, 2 * best.count >= self.matches.count else { return nil }
        var motion = best.motion
        for _ in 0..<2 {
            guard let finer = Self.affine(self.matches.filter { Self.isNear($0, motion) }) else { break }
            motion = finer
        }
        return motion
    }

    private static func isNear(_ match: Match, _ motion: Affine) -> Bool {
        let place = motion(match.from)
        return abs(place.x - match.to.x) < Self.tolerance && abs(place.y - match.to.y) < Self.tolerance
    }

    /// The turn, scale and shift between two matches.
    private static func similarity(_ first: Match, _ second: Match) -> Affine? {
        let (dx, dy) = (second.from.x - first.from.x, second.from.y - first.from.y)
        let (ex, ey) = (second.to.x - first.to.x, second.to.y - first.to.y)
        let length = dx * dx + dy * dy
        guard length > 2500 else { return nil }
        let (a, c) = ((dx * ex + dy * ey) / length, (dx * ey - dy * ex) / length)
        guard (0.5...2).contains(a * a + c * c) else { return nil }
        return Affine(
            a: a,
            b: -c,
            tx: first.to.x - a * first.from.x + c * first.from.y,
            c: c,
            d: a,
            ty: first.to.y - c * first.from.x - a * first.from.y
        )
    }

    /// The map that fits matches with the least squares.
    private static func affine(_ matches: [Match]) -> Affine? {
        let count = Double(matches.count)
        guard count >= 8 else { return nil }
        let meanX = matches.reduce(0) { $0 + Double($1.from.x) } / count
        let meanY = matches.reduce(0) { $0 + Double($1.from.y) } / count
        let toX = matches.reduce(0) { $0 + Double($1.to.x) } / count
        let toY = matches.reduce(0) { $0 + Double($1.to.y) } / count
        var (xx, xy, yy, xu, yu, xv, yv) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for match in matches {
            let (x, y) = (Double(match.from.x) - meanX, Double(match.from.y) - meanY)
            let (u, v) = (Double(match.to.x) - toX, Double(match.to.y) - toY)
            xx += x * x
            xy += x * y
            yy += y * y
            xu += x * u
            yu += y * u
            xv += x * v
            yv += y * v
        }
        let determinant = xx * yy - xy * xy
        // Corners in one row say nothing of what happens across it.
        guard determinant > 0.01 * (xx + yy) * (xx + yy), xx + yy > count * 2500 else { return nil }
        let (a, b) = ((xu * yy - yu * xy) / determinant, (yu * xx - xu * xy) / determinant)
        let (c, d) = ((xv * yy - yv * xy) / determinant, (yv * xx - xv * xy) / determinant)
        return Affine(
            a: Float(a),
            b: Float(b),
            tx: Float(toX - a * meanX - b * meanY),
            c: Float(c),
            d: Float(d),
            ty: Float(toY - c * meanX - d * meanY)
        )
    }
}

extension GrayPlane {
    /// The value at a place between pixels, which must lie inside the plane by one pixel.
    @inline(__always)
    func value(_ x: Float, _ y: Float) -> Float {
        let (left, top) = (Int(x), Int(y))
        let (fx, fy) = (x - Float(left), y - Float(top))
        let offset: Int = top &* self.width &+ left
        let first = self.base + offset
        let second = first + self.width
        let (a, b, c, d) = (Float(first[0]), Float(first[1]), Float(second[0]), Float(second[1]))
        let upper = a + (b - a) * fx
        let lower = c + (d - c) * fx
        return upper + (lower - upper) * fy
    }
}
