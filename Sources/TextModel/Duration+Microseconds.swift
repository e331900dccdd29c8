extension Duration {
    /// Whole microseconds.
    package var microseconds: Int {
        let (seconds, attoseconds) = self.components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
