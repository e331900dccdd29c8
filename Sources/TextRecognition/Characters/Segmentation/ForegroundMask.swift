/// Soft foreground mask of a rectified line: each pixel's share of foreground, from 0 to 1.
struct ForegroundMask: ~Copyable {
    private(set) var width = 0
    private(set) var height = 0
    private var values = ScratchBuffer<Float>()
    private var sums = ScratchBuffer<Float>()
    /// Background intensity of each column.
    private var backgrounds = ScratchBuffer<Float>()
    /// Foreground for each step of intensity, by column.
    private var scales = ScratchBuffer<Float>()

    /// Share above which a pixel counts as foreground; not measured.
    static let threshold: Float = 0.48

    private enum Tuning {
        /// Least contrast of a line whose edges can be trusted, of 255; not measured.
        static let minContrast: Float = 14
        /// Share of foreground from which a segment may lie in a shadow.
        ///
        /// Bold letters reach it too, but their own levels equal those of the line. Boxes of pages 0.939 → 0.940 at `fast`,
        /// 0.942 → 0.943 at `accurate`; 0.6 misses two of six shaded words (accuracy log, *Foreground masks in shadow*).
        static let shadowShare: Float = 0.35
        /// Least contrast of a segment with levels of its own, as a share of the line's; not measured.
        static let segmentContrast: Float = 0.25
        /// Share of the segments' contrast from which they decide whether foreground is darker or lighter.
        ///
        /// Of 5,000 lines of public pictures three have it, all rightly; of four from 0.5 to 0.6 two would be wrong
        /// (accuracy log, *Hard shadows*).
        static let contraryShare: Float = 0.7
    }

    /// Foreground of all pixels, row by row.
    var pixels: UnsafePointer<Float> { UnsafePointer(self.values.base) }
    /// Vertical projection profile: the sum of each column's foreground.
    var profile: UnsafePointer<Float> { UnsafePointer(self.sums.base) }

    /// Returns the mean foreground of the pixels whose centres lie in a rectangle; 0 without any.
    func mean(columns: Range<Float>, rows: Range<Float>) -> Float {
        let (columns, rows) = (Self.centres(in: columns, of: self.width), Self.centres(in: rows, of: self.height))
        guard !columns.isEmpty, !rows.isEmpty else { return 0 }
        let sum = rows.reduce(Float(0)) { sum, y in
            columns.reduce(sum) { $0 + self.pixels[y * self.width + $1] }
        }
        return sum / Float(columns.count * rows.count)
    }

    /// Returns the pixels of `length` whose centres lie in a range.
    private static func centres(in range: Range<Float>, of length: Int) -> Range<Int> {
        let start = max(0, Int((range.lowerBound - 0.5).rounded(.up)))
        return start..<max(start, min(length, Int((range.upperBound - 0.5).rounded(.up))))
    }

    /// Separates foreground from background in `gray`, which has `height` rows of `width` values.
    ///
    /// - Returns: Whether their contrast is sufficient.
    mutating func separate(_ gray: UnsafePointer<Float>, width: Int, height: Int) -> Bool {
        self.width = width
        self.height = height
        guard self.findLevels(gray) else { return false }
        self.values.reserve(width * height)
        self.sums.reserve(width)
        let (values, sums) = (self.values.base, self.sums.base)
        let (backgrounds, scales) = (self.backgrounds.base, self.scales.base)
        sums.update(repeating: 0, count: width)
        for y in 0..<height {
            let row = y * width
            for x in 0..<width {
                let share = max(0, min(1, (gray[row + x] - backgrounds[x]) * scales[x]))
                values[row + x] = share
                sums[x] += share
            }
        }
        return true
    }

    /// Finds the intensity levels of each column.
    ///
    /// They are those of the line, except for segments in a shadow, as in the fold of a book, where the background is nearer to
    /// the foreground elsewhere than to the background there. Those have levels of their own, between which columns are
    /// interpolated.
    ///
    /// - Returns: Whether the contrast of the line is sufficient.
    private mutating func findLevels(_ gray: UnsafePointer<Float>) -> Bool {
        // Half as wide as the line is high: about one character.
        let segmentWidth = max(1, self.height / 2)
        let (width, height) = (self.width, self.height)
        let segments = stride(from: 0, to: width, by: segmentWidth).map { start in
            BrightnessHistogram(gray, width: width, height: height, columns: start..<min(width, start + segmentWidth))
        }
        // Together with its neighbours, so that there is some foreground.
        let near = segments.indices.map { segment in
            segments[max(0, segment - 1)...min(segments.count - 1, segment + 1)].reduce(into: BrightnessHistogram(), +=)
        }
        guard let line = Self.levels(ofLine: segments.reduce(into: BrightnessHistogram(), +=), near: near) else {
            return false
        }
        let levels = zip(segments, near).map { Self.levels(of: $0, near: $1, line: line) }
        self.spread(levels, every: Float(segmentWidth))
        return true
    }

    /// Returns the levels of a line; `nil` if its contrast is insufficient.
    ///
    /// Where much of it lies in a shadow with a hard edge, what lies there, ink and paper, is together the larger class
    /// and would be the background. Segments show that the ink is darker.
    private static func levels(ofLine line: BrightnessHistogram, near: [BrightnessHistogram]) -> IntensityLevels? {
        guard let levels = line.levels(), abs(levels.contrast) >= Tuning.minContrast else { return nil }
        let minContrast = Self.minContrast(in: levels)
        var (all, contrary) = (Float(0), Float(0))
        for contrast in near.compactMap({ $0.levels()?.contrast }) where abs(contrast) >= minContrast {
            all += abs(contrast)
            if (contrast < 0) != (levels.contrast < 0) { contrary += abs(contrast) }
        }
        guard all > 0, contrary >= Tuning.contraryShare * all else { return levels }
        return line.levels(isForegroundDarker: levels.contrast > 0)
    }

    /// Returns the least contrast of a segment of a line that has `levels`.
    private static func minContrast(in levels: IntensityLevels) -> Float {
        max(Tuning.minContrast, Tuning.segmentContrast * abs(levels.contrast))
    }

    /// Returns the levels of a segment: the line's, or its own where it lies in a shadow.
    private static func levels(
        of segment: BrightnessHistogram,
        near: BrightnessHistogram,
        line: IntensityLevels
    ) -> IntensityLevels {
        guard segment.foregroundShare(of: line) > Tuning.shadowShare,
            let own = near.levels(isForegroundDarker: line.contrast < 0),
            abs(own.contrast) >= Self.minContrast(in: line)
        else { return line }
        return own
    }

    /// Interpolates the levels of the segments to the columns.
    private mutating func spread(_ levels: [IntensityLevels], every segmentWidth: Float) {
        self.backgrounds.reserve(self.width)
        self.scales.reserve(self.width)
        for x in 0..<self.width {
            let place = max(0, min(Float(levels.count - 1), (Float(x) + 0.5) / segmentWidth - 0.5))
            let segment = Int(place)
            let next = levels[min(segment + 1, levels.count - 1)]
            let level = levels[segment].mixed(with: next, at: place - Float(segment))
            self.backgrounds.base[x] = level.background
            self.scales.base[x] = 1 / level.contrast
        }
    }
}
