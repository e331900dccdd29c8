extension Array {
    /// Longest runs of elements that each follow the one before.
    ///
    /// - Parameter follows: Whether the second of two neighbours is in the run of the first.
    /// - Returns: The ranges of all runs, which cover the array in order.
    package func runs(where follows: (Element, Element) -> Bool) -> [Range<Int>] {
        self.indices.reduce(into: []) { runs, index in
            if let last = runs.last, follows(self[index - 1], self[index]) {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
    }
}
