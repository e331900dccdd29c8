/// Character of a line with its place, in pixels of the rectified line.
struct LocatedCharacter {
    /// Character as it was recognized.
    var recognized: CTCCharacter
    var box: BoundingBox
    /// Log-odds of a space before it.
    var spaceLogOdds: Float = -.infinity
}
