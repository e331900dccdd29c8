extension String {
    /// The digits with zeros in front, up to `count` characters.
    package func zeroPadded(to count: Int) -> String {
        String(repeating: "0", count: max(count - self.count, 0)) + self
    }
}
