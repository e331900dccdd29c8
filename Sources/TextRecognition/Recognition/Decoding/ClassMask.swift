/// Set of the alphabet's classes that may be decoded.
struct ClassMask: Sendable {
    /// Allowed classes in ascending order, without the blank, which always is.
    let labels: [Int]
    /// Classes of other letters that may be decoded, each with the allowed class of its base letter, as which it is read.
    let bases: [Int: Int]
    /// Both, in ascending order.
    private let decoded: [Int]

    /// Creates the set of some classes, in ascending order, and of those that are read as one of them.
    init(labels: [Int], bases: [Int: Int] = [:]) {
        self.labels = labels
        self.bases = bases
        self.decoded = bases.isEmpty ? labels : (labels + bases.keys).sorted()
    }

    /// Returns the classes that may be decoded among a network's first `count`.
    func decodable(below count: Int) -> ArraySlice<Int> {
        guard let last = self.decoded.last, last >= count else { return self.decoded[...] }
        return self.decoded[..<Self.count(of: self.decoded, below: count)]
    }

    /// Whether a class is allowed.
    func contains(_ label: Int) -> Bool {
        let place = Self.count(of: self.labels, below: label)
        return place < self.labels.count && self.labels[place] == label
    }

    /// Number of classes, in ascending order, below one of them.
    private static func count(of labels: [Int], below limit: Int) -> Int {
        var (low, high) = (0, labels.count)
        while low < high {
            let middle = (low + high) / 2
            if labels[middle] < limit { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the class as which one is read.
    func allowedLabel(of label: Int) -> Int { self.bases[label] ?? label }

    /// Returns decoded characters as they are read: an é is an e where no language uses it.
    ///
    /// They are decoded first, since repeats of one class are merged, and é and e are two letters.
    func folded(_ characters: [CTCCharacter]) -> [CTCCharacter] {
        guard !self.bases.isEmpty else { return characters }
        return characters.map { character in
            var folded = character
            folded.label = self.allowedLabel(of: character.label)
            folded.alternatives = character.alternatives.compactMap { alternative in
                let label = self.allowedLabel(of: alternative.label)
                return label == folded.label
                    ? nil : CTCCharacter.Alternative(label: label, logRatio: alternative.logRatio)
            }
            return folded
        }
    }

    /// Adds the probabilities of classes to those of the ones as which they are read, in the order of the classes.
    ///
    /// - Parameters:
    ///   - probabilities: Those of all steps, row by row.
    ///   - classCount: The length of a row.
    func fold(_ probabilities: inout [Float], classCount: Int) {
        for label in self.decodable(below: classCount) {
            guard let base = self.bases[label], base < classCount else { continue }
            for start in stride(from: 0, to: probabilities.count, by: classCount) {
                probabilities[start + base] += probabilities[start + label]
                probabilities[start + label] = 0
            }
        }
    }
}
