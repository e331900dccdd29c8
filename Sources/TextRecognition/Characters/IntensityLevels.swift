/// The brightness of background and ink in a line of text or a part of one.
struct IntensityLevels {
    var background: Float
    var ink: Float

    /// How much brighter the ink is; less than 0 where it is darker.
    var contrast: Float { self.ink - self.background }

    /// The levels at a place between two where these and `other` are, 0 here and 1 there.
    func mixed(with other: Self, at place: Float) -> Self {
        Self(
            background: self.background + place * (other.background - self.background),
            ink: self.ink + place * (other.ink - self.ink)
        )
    }
}
