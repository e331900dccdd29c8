/// Mean intensities of the background and foreground of a line or a part of one.
struct IntensityLevels {
    var background: Float
    var foreground: Float

    /// Foreground less background; negative for dark text.
    var contrast: Float { self.foreground - self.background }

    /// Returns the levels interpolated between these, at 0, and `other`, at 1.
    func mixed(with other: Self, at place: Float) -> Self {
        Self(
            background: self.background + place * (other.background - self.background),
            foreground: self.foreground + place * (other.foreground - self.foreground)
        )
    }
}
