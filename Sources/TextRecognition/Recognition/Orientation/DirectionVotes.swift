/// Votes of a frame's lines for their reading direction, so that the next line is tried that way first.
///
/// Text in one frame mostly runs one way. A short line, such as a number, can be read upside down by chance; the long lines,
/// which are read first, hardly are.
package struct DirectionVotes: Sendable {
    /// Shape of a detected box, which decides the directions that are possible.
    enum Shape: Int {
        case wide
        case tall
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
        /// Least characters that vote for a decided direction.
        static let leastVotes = 8
        /// Least ratio of these to the votes for the next direction.
        static let leastRatio = 4
        /// Number of characters of one shape from which older votes count half: a stream may show other text by and by.
        static let mostVotes = 512
    }

    /// Characters in each direction, by quarter turns clockwise, for each shape.
    private var votes: [[Int]] = [[0, 0, 0, 0], [0, 0, 0, 0]]

    package init() {}

    /// Returns the possible directions of a box in quarter turns clockwise, the most voted first.
    func order(for shape: Shape) -> [Int] {
        let votes = self.votes[shape.rawValue]
        switch shape {
        case .wide: return votes[2] > votes[0] ? [2, 0] : [0, 2]
        case .tall:
            // A tall box can also be one narrow character that stands as the wide lines do.
            let standing = self.order(for: .wide)[0]
            return (votes[3] > votes[1] ? [3, 1] : [1, 3]) + [standing]
        }
    }

    /// Whether the first direction is established, so that a confident reading in it needs no comparison.
    func isDecided(for shape: Shape) -> Bool {
        let votes = self.votes[shape.rawValue].sorted()
        return votes[3] >= Tuning.leastVotes && votes[3] >= Tuning.leastRatio * votes[2]
    }

    /// Whether a direction is the established one.
    func isUsual(_ quarterTurns: Int, for shape: Shape) -> Bool {
        self.isDecided(for: shape) && self.order(for: shape)[0] == quarterTurns
    }

    /// Counts a vote.
    mutating func count(_ vote: Vote) {
        let shape = vote.shape.rawValue
        self.votes[shape][vote.quarterTurns] += vote.characters
        guard self.votes[shape].reduce(0, +) > Tuning.mostVotes else { return }
        for direction in self.votes[shape].indices { self.votes[shape][direction] /= 2 }
    }
}
