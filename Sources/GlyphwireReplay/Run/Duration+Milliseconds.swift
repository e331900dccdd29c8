extension Duration {
    /// Duration in milliseconds.
    var milliseconds: Double {
        let (seconds, attoseconds) = self.components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
