/// The distance from one letter to the next in a line whose letters all have the same room, as on typewriters and screens.
struct LinePitch {
    /// In columns of the straightened line.
    private let columns: Float

    /// Fewer neighbours show no pitch.
    private static let leastCount = 8
    /// How far a letter may stand from the middle of its room, and what share of the letters must not.
    private static let tolerance: (distance: Float, share: Float) = (0.15, 0.85)

    /// The pitch of a line; `nil` where its letters have rooms of different widths.
    ///
    /// - Parameter boxes: Of its letters, from left to right.
    init?(_ boxes: [InkBox]) {
        let distances = zip(boxes, boxes.dropFirst()).map { $1.centreX - $0.centreX }
        guard distances.count >= Self.leastCount else { return nil }
        let pitch = distances.sorted()[distances.count / 2]
        let fitting = distances.count { distance in
            let rooms = (distance / pitch).rounded()
            return rooms >= 1 && abs(distance / pitch - rooms) <= Self.tolerance.distance
        }
        guard pitch > 0, Float(fitting) >= Self.tolerance.share * Float(distances.count) else { return nil }
        self.columns = pitch
    }

    /// Whether one letter stands in the room next to another's.
    func areNeighbours(_ left: InkBox, _ right: InkBox) -> Bool {
        abs(right.centreX - left.centreX - self.columns) <= Self.tolerance.distance * self.columns
    }
}
