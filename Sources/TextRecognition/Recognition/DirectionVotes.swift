/// Which way lines of a frame have been found to run, so that the next one is tried that way first.
///
/// Text in one picture mostly runs one way. Upside down, a short line such as a figure can make sense by chance; the long
/// lines, which are read first, make less of it than upright.
package struct DirectionVotes: Sendable {
    /// The shape of a detected box, which leaves different directions open.
    enum Shape: Int {
        case wide
        case tall
    }

    /// A line that was read for certain.
    struct Vote {
        /// See ``OrientationCue/evidence(in:)``.
        let characters: Int
        /// The direction in which it was read, in quarters clockwise.
        let quarterTurns: Int
        /// Of its box.
        let shape: Shape
    }

    /// Characters that must agree.
    private static let decided = 8

    /// Characters read in each direction, in quarters clockwise, for each shape.
    private var votes: [[Int]] = [[0, 0, 0, 0], [0, 0, 0, 0]]

    package init() {}

    /// The directions a box can run in, the likeliest first, in quarters clockwise.
    func order(for shape: Shape) -> [Int] {
        let votes = self.votes[shape.rawValue]
        switch shape {
        case .wide: return votes[2] > votes[0] ? [2, 0] : [0, 2]
        case .tall:
            // A tall box can also be a narrow letter that stands upright, or upside down with the rest of the page.
            let standing = self.order(for: .wide)[0]
            return (votes[3] > votes[1] ? [3, 1] : [1, 3]) + [standing]
        }
    }

    /// Whether the first direction has proven itself, so that a certain reading needs no other to compare with.
    func isDecided(for shape: Shape) -> Bool {
        let votes = self.votes[shape.rawValue].sorted()
        return votes[3] >= Self.decided && votes[3] >= 4 * votes[2]
    }

    /// Counts a line that was read for certain.
    mutating func count(_ vote: Vote) { self.votes[vote.shape.rawValue][vote.quarterTurns] += vote.characters }
}
