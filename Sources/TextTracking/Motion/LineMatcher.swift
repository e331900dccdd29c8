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
        /// Radii of the box blurs by which a template and a sample are made equally sharp, in pixels.
        ///
        /// Chosen by eye.
        static let blurRadii = [1, 2]
        /// Largest difference of a match that needs no blur, as a share of the line's contrast; chosen by eye.
        static let sharpDifference: Float = 0.15
    }

    /// Match of a line in a frame.
    struct Match: Equatable {
        /// Motion from the frame in which the template was taken to this one.
        var motion: Affine
        /// Largest difference in any part of the line the size of a stroke, as a share of the line's contrast.
        var difference: Float
        /// Normalised cross-correlation of template and frame, at most 1.
        var correlation: Float
        /// Decorrelation: what the correlation lacks of 1, times the length of the template in heights.
        var decorrelation: Float
        /// Legibility of the line in this frame, to be compared with ``LineTemplate/legibility``.
        var legibility: Float
    }

    private var template = LinePixels()
    private var sample = LinePixels()
    /// Variance of ``sample`` before it was normalised, in squared steps of brightness.
    private var sampleVariance: Float = 0
    private var blurred = LinePixels()
    /// Pixels whose rows are blurred, and not yet their columns.
    private var blurredRows = LinePixels()

    /// Matches a template near its predicted place.
    ///
    /// - Parameters:
    ///   - template: The template.
    ///   - frame: The frame to search, reduced.
    ///   - prediction: The motion from the template's frame to this one.
    /// - Returns: The match; `nil` where the line lies outside the frame, or the alignment does not converge.
    mutating func match(_ template: LineTemplate, in frame: borrowing Pyramid, prediction: Affine) -> Match? {
        guard let half = template.half.model, let full = template.full.model, let back = template.place.inverse else {
            return nil
        }
        let start = template.place.then(prediction).halved
        let isShiftOnly = template.aspect < (template.isLarge ? Tuning.minLargeAspect : Tuning.minAspect)
        self.load(template.half, half)
        let coarse = self.align(
            to: frame.half,
            from: start,
            hessian: half.hessian,
            isShiftOnly: isShiftOnly,
            iterations: Tuning.coarseIterations
        )
        guard let coarse else { return nil }
        self.load(template.full, full)
        let fine = self.align(
            to: frame.full,
            from: coarse.doubled,
            hessian: full.hessian,
            isShiftOnly: isShiftOnly,
            iterations: Tuning.fineIterations
        )
        guard let fine else { return nil }
        let motion = back.then(fine)
        let sharpness = self.sample.sharpness
        let isTemplateSharper = sharpness < full.sharpness
        let (difference, correlation) = self.compare(isTemplateSharper: isTemplateSharper)
        let pixelCount = Float(template.full.values.count)
        return Match(
            motion: motion,
            difference: difference,
            correlation: correlation,
            decorrelation: (1 - correlation) * template.aspect,
            legibility: self.sampleVariance * sharpness / pixelCount * motion.areaFactor
        )
    }

    /// Loads a template's pixels, normalised.
    private mutating func load(_ level: TemplateLevel, _ model: TemplateLevel.Model) {
        self.template.load(level.values, width: level.width, height: level.height)
        self.template.normalize(by: model.moments)
    }

    /// Aligns ``template`` with a plane, and leaves the plane's pixels, normalised, in ``sample``.
    ///
    /// This is inverse compositional alignment (Baker and Matthews, Lucas-Kanade 20 years on, International Journal of Computer
    /// Vision 56, 2004).
    private mutating func align(
        to plane: borrowing GrayPlane,
        from start: Affine,
        hessian: Symmetric4,
        isShiftOnly: Bool,
        iterations: Int
    ) -> Affine? {
        let (width, height) = (Float(self.template.width), Float(self.template.height))
        var place = start
        for iteration in 0...iterations {
            guard self.take(plane, at: place) else { return nil }
            if iteration == iterations { break }
            let sum = self.template.steepestDescent(to: self.sample)
            guard let step = hessian.solve(sum, isShiftOnly: isShiftOnly) else { return nil }
            place = Affine(undoing: step, width: width, height: height).then(place)
            let distance = place.distance(from: start, width: width, height: height)
            guard distance < max(Tuning.maxDisplacement, height) else { return nil }
            if abs(step.x) + abs(step.y) + abs(step.z) + abs(step.w) < Tuning.convergence {
                guard self.take(plane, at: place) else { return nil }
                break
            }
        }
        return place
    }

    /// Samples the pixels at `place`, normalised; `false` where their middle lies outside the frame or they vary too little.
    private mutating func take(_ plane: borrowing GrayPlane, at place: Affine) -> Bool {
        let (width, height) = (self.template.width, self.template.height)
        guard self.sample.load(plane, at: place, width: width, height: height), let moments = self.sample.moments else {
            return false
        }
        self.sample.normalize(by: moments)
        self.sampleVariance = moments.variance
        return true
    }

    /// Compares ``sample`` with ``template``, the sharper of which is also blurred as the other one may be.
    private mutating func compare(isTemplateSharper: Bool) -> (difference: Float, correlation: Float) {
        var difference = self.sample.difference(from: self.template)
        var correlation = self.sample.correlation(with: self.template)
        for radius in Tuning.blurRadii where difference > Tuning.sharpDifference {
            self.blurredRows.load(isTemplateSharper ? self.template : self.sample, blurringRows: radius)
            self.blurred.load(self.blurredRows, blurringColumns: radius)
            guard let moments = self.blurred.blurredMoments else { break }
            self.blurred.normalize(by: moments)
            let other = isTemplateSharper ? self.sample : self.template
            difference = min(difference, other.difference(from: self.blurred))
            correlation = max(correlation, other.correlation(with: self.blurred))
        }
        return (difference, correlation)
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
