/// Votes of a frame's lines for their reading direction, so that the next line is tried that way first.
///
/// Text in one frame mostly runs one way. A short line, such as a number, can be read upside down by chance; the long lines,
/// which are read first, hardly are.
package struct DirectionVotes: Sendable {
    /// Shape of a detected box, which decides the directions that are possible.
    enum Shape: Int {
        case wide
        case tall
        /// A letter that stands as the wide lines do, or a short line that runs as the tall ones do.
        case narrow
    }

    /// Vote of a line that was read with high confidence.
    struct Vote {
        /// Weight: see ``OrientationCue/evidence(in:)``.
        let characters: Int
        /// Direction of the reading, in quarter turns clockwise.
        let quarterTurns: Int
        /// Shape of its box.
        let shape: Shape
    }

    /// Chosen by hand; not measured.
    private enum Tuning {
        /// Least characters that vote for a decided direction of wide lines.
        static let minVotes = 8
        /// The same of tall lines: more than one has.
        ///
        /// Beside one line that runs down, those that run up were read upside down in 11 of 30 drawn pictures (accuracy log,
        /// *Pictures that were drawn to fail*). Wide lines hardly ever stand upside down beside others.
        static let minTallVotes = 48
        /// Least ratio of these to the votes for the next direction.
        static let minRatio = 4
        /// Number of characters of one shape from which older votes count half: a stream may show other text by and by.
        static let maxVotes = 512
    }

    /// Characters in each direction, by quarter turns clockwise, for each shape.
    private var votes: [[Int]] = [[0, 0, 0, 0], [0, 0, 0, 0]]

    /// Whether most of the text that was detected is in tall boxes.
    private var expectsTallText = false

    package init() {}

    /// Returns the possible directions of a box in quarter turns clockwise, the most voted first.
    func order(for shape: Shape) -> [Int] {
        let (wide, tall) = (self.votes[Shape.wide.rawValue], self.votes[Shape.tall.rawValue])
        let standing = wide[2] > wide[0] ? [2, 0] : [0, 2]
        let running = tall[3] > tall[1] ? [3, 1] : [1, 3]
        switch shape {
        case .wide: return standing
        case .tall: return running + standing.prefix(1)
        case .narrow: return self.haveMoreTallText ? running + standing.prefix(1) : standing.prefix(1) + running
        }
    }

    /// Whether most of the text runs up or down.
    private var haveMoreTallText: Bool {
        let tall = self.votes[Shape.tall.rawValue].reduce(0, +)
        let wide = self.votes[Shape.wide.rawValue].reduce(0, +)
        return tall == wide ? self.expectsTallText : tall > wide
    }

    /// Expects lines to run as most of the text in their boxes does, until they vote.
    mutating func expect(_ lines: [DetectedLine]) {
        let tall = lines.reduce(0) { $0 + ($1.shape == .tall ? $1.elongation : 0) }
        let wide = lines.reduce(0) { $0 + ($1.shape == .wide ? $1.elongation : 0) }
        self.expectsTallText = tall > wide
    }

    /// Whether the first direction is established, so that a confident reading in it needs no comparison.
    func isDecided(for shape: Shape) -> Bool {
        switch shape {
        case .wide: return self.isDecided(shape, by: Tuning.minVotes)
        case .tall: return self.isDecided(shape, by: Tuning.minTallVotes)
        case .narrow: return self.isDecided(for: self.haveMoreTallText ? .tall : .wide)
        }
    }

    private func isDecided(_ shape: Shape, by minVotes: Int) -> Bool {
        let votes = self.votes[shape.rawValue].sorted()
        return votes[3] >= minVotes && votes[3] >= Tuning.minRatio * votes[2]
    }

    /// Whether a direction is the established one.
    func isUsual(_ quarterTurns: Int, for shape: Shape) -> Bool {
        self.isDecided(for: shape) && self.order(for: shape)[0] == quarterTurns
    }

    /// Counts a vote; that of a narrow box does not count, as a single letter may be read in any direction.
    mutating func count(_ vote: Vote) {
        guard vote.shape != .narrow else { return }
        let shape = vote.shape.rawValue
        self.votes[shape][vote.quarterTurns] += vote.characters
        guard self.votes[shape].reduce(0, +) > Tuning.maxVotes else { return }
        for direction in self.votes[shape].indices { self.votes[shape][direction] /= 2 }
    }
}
