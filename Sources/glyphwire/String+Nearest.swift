internal import TextModel

extension String {
    /// The one of `candidates` that this text probably is a misspelling of; `nil` if it resembles none.
    func nearest(of candidates: [String]) -> String? {
        let nearest = candidates.map { ($0, self.editDistance(to: $0)) }.min { $0.1 < $1.1 }
        // More than every third character wrong is another word.
        return nearest.flatMap { $0.1 <= Swift.max(self.count / 3, 1) ? $0.0 : nil }
    }
}
