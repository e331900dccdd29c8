/// How much of each pixel of a straightened line is ink, from 0 (background) to 1.
struct ForegroundMask: ~Copyable {
    private(set) var width = 0
    private(set) var height = 0
    private var values = ScratchBuffer<Float>()
    private var sums = ScratchBuffer<Float>()
    /// Of each column the brightness of its background, and what of ink a step of brightness is.
    private var backgrounds = ScratchBuffer<Float>()
    private var scales = ScratchBuffer<Float>()

    /// What counts as ink where a pixel is ink or is not.
    static let threshold: Float = 0.48
    /// Lines whose ink and background differ by less have no edges that could be trusted, in brightness 0...255.
    private static let minContrast: Float = 14
    /// The share of a part that seems to be ink from which on it may lie in a shadow.
    ///
    /// Bold letters reach it as well, and their own levels are those of their line.
    private static let shadowShare: Float = 0.35
    /// Parts whose ink and background differ by less, as a share of the line's, tell of noise and not of letters.
    private static let partContrast: Float = 0.25

    /// Ink of all pixels, row by row.
    var ink: UnsafePointer<Float> { UnsafePointer(self.values.base) }
    /// Ink of each column.
    var profile: UnsafePointer<Float> { UnsafePointer(self.sums.base) }

    /// The mean of the pixels whose middles lie in some columns and rows; 0 where none does.
    func mean(columns: Range<Float>, rows: Range<Float>) -> Float {
        let (columns, rows) = (Self.pixels(columns, of: self.width), Self.pixels(rows, of: self.height))
        guard !columns.isEmpty, !rows.isEmpty else { return 0 }
        let sum = rows.reduce(Float(0)) { sum, y in
            columns.reduce(sum) { $0 + self.ink[y * self.width + $1] }
        }
        return sum / Float(columns.count * rows.count)
    }

    private static func pixels(_ range: Range<Float>, of length: Int) -> Range<Int> {
        let start = max(0, Int((range.lowerBound - 0.5).rounded(.up)))
        return start..<max(start, min(length, Int((range.upperBound - 0.5).rounded(.up))))
    }

    /// Separates ink from background in `gray`, `height` rows of `width` numbers.
    ///
    /// - Returns: Whether the two differ enough to be told apart.
    mutating func measure(_ gray: UnsafePointer<Float>, width: Int, height: Int) -> Bool {
        self.width = width
        self.height = height
        guard self.level(gray) else { return false }
        self.values.reserve(width * height)
        self.sums.reserve(width)
        let (values, sums) = (self.values.base, self.sums.base)
        let (backgrounds, scales) = (self.backgrounds.base, self.scales.base)
        sums.update(repeating: 0, count: width)
        for y in 0..<height {
            let row = y * width
            for x in 0..<width {
                let ink = max(0, min(1, (gray[row + x] - backgrounds[x]) * scales[x]))
                values[row + x] = ink
                sums[x] += ink
            }
        }
        return true
    }

    /// Finds the levels of each column.
    ///
    /// They are those of the line, but for parts in a shadow, as in the fold of a book, where paper is nearer to the ink
    /// elsewhere than to the paper there: those have levels of their own, and columns between have what lies between.
    ///
    /// - Returns: Whether ink and background can be told apart.
    private mutating func level(_ gray: UnsafePointer<Float>) -> Bool {
        // Half as wide as the line is high, a letter or so.
        let partWidth = max(1, self.height / 2)
        let (width, height) = (self.width, self.height)
        let parts = stride(from: 0, to: width, by: partWidth).map { start in
            BrightnessHistogram(gray, width: width, height: height, columns: start..<min(width, start + partWidth))
        }
        guard let line = parts.reduce(into: BrightnessHistogram(), +=).levels(), abs(line.contrast) >= Self.minContrast
        else { return false }
        let levels = parts.indices.map { Self.levels(of: $0, among: parts, line) }
        self.spread(levels, every: Float(partWidth))
        return true
    }

    /// The levels of one of a line's parts: the line's, or if it lies in a shadow its own.
    private static func levels(of part: Int, among parts: [BrightnessHistogram], _ line: IntensityLevels)
        -> IntensityLevels
    {
        guard parts[part].inkShare(of: line) > Self.shadowShare else { return line }
        // Together with those beside it, so that there is some ink.
        let near = parts[max(0, part - 1)...min(parts.count - 1, part + 1)].reduce(into: BrightnessHistogram(), +=)
        let least = max(Self.minContrast, Self.partContrast * abs(line.contrast))
        guard let own = near.levels(isInkDarker: line.contrast < 0), abs(own.contrast) >= least else { return line }
        return own
    }

    /// Gives each column what lies between the levels of the parts to its left and right.
    private mutating func spread(_ levels: [IntensityLevels], every partWidth: Float) {
        self.backgrounds.reserve(self.width)
        self.scales.reserve(self.width)
        for x in 0..<self.width {
            let place = max(0, min(Float(levels.count - 1), (Float(x) + 0.5) / partWidth - 0.5))
            let part = Int(place)
            let level = levels[part].mixed(with: levels[min(part + 1, levels.count - 1)], at: place - Float(part))
            self.backgrounds.base[x] = level.background
            self.scales.base[x] = 1 / level.contrast
        }
    }
}
