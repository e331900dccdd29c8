internal import Glibc

/// CTC forced alignment of label sequences to the time steps of a line.
///
/// Takes the network's probabilities of the classes that a lexicon needs; gives alignment scores, and characters whose centres
/// are in pixels of the rectified line.
struct ForcedAlignment {
    /// Column of each kept class in ``values``.
    private let columns: [Int: Int]
    /// Probabilities of the kept classes, step by step.
    private let values: [Float]
    /// Probability of the blank or a space, step by step.
    private let gaps: [Float]
    /// Pixels of the rectified line for each time step.
    let pixelsPerStep: Float

    /// Least probability of any class, so that no product is zero; not measured.
    private static let floor: Float = 1e-6

    /// Creates the alignment of a network's output.
    ///
    /// - Parameters:
    ///   - probabilities: Those of all classes, step by step.
    ///   - stepCount: The number of time steps.
    ///   - classCount: The number of the network's classes, which may lack some of `labels`.
    ///   - labels: The classes to keep.
    ///   - space: The class of the space.
    ///   - pixelsPerStep: Pixels of the rectified line for each time step.
    init(
        _ probabilities: UnsafeBufferPointer<Float>,
        stepCount: Int,
        classCount: Int,
        labels: Set<Int>,
        space: Int,
        pixelsPerStep: Float
    ) {
        let sorted = labels.filter { $0 < classCount }.sorted()
        self.columns = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
        self.values = (0..<stepCount).flatMap { step in
            sorted.map { max(Self.floor, probabilities[step * classCount + $0]) }
        }
        self.gaps = (0..<stepCount).map { step in
            max(Self.floor, probabilities[step * classCount] + probabilities[step * classCount + space])
        }
        self.pixelsPerStep = pixelsPerStep
    }

    /// Number of time steps.
    var stepCount: Int { self.gaps.count }

    /// Returns the log-probability that `steps` emit `labels` and nothing else.
    ///
    /// Graves et al., Connectionist Temporal Classification (ICML 2006), section 4.1: the forward variables.
    func logProbability(of labels: [Int], in steps: Range<Int>) -> Float {
        let columns = labels.map { self.columns[$0] }
        var previous = [Float](repeating: 0, count: 2 * labels.count + 1)
        var logarithm: Float = 0
        previous[0] = 1
        for (index, step) in steps.enumerated() {
            var current = previous
            for state in current.indices {
                // All paths start in the first gap, or in the first label without it.
                var sum = index == 0 ? (state <= 1 ? 1 : 0) : previous[state]
                if index > 0, state > 0 { sum += previous[state - 1] }
                if index > 0, self.maySkipGap(before: state, of: labels) { sum += previous[state - 2] }
                current[state] = sum * self.probability(ofState: state, of: columns, at: step)
            }
            // Rescaled at each step, or the product over a long line would underflow.
            let scale = current.reduce(0, +)
            guard scale > 0 else { return -.infinity }
            logarithm += logf(scale)
            previous = current.map { $0 / scale }
        }
        let ends = previous[previous.count - 1] + (labels.isEmpty ? 0 : previous[previous.count - 2])
        return steps.isEmpty && !labels.isEmpty ? -.infinity : logarithm + logf(ends)
    }

    /// Returns the characters of the Viterbi path of `labels` through `steps`; `nil` where the steps are too few.
    func characters(of labels: [Int], in steps: Range<Int>) -> [CTCCharacter]? {
        let columns = labels.map { self.columns[$0] }
        let stateCount = 2 * labels.count + 1
        var best = [Float](repeating: -.infinity, count: stateCount)
        var backpointers: [[Int]] = []
        for (index, step) in steps.enumerated() {
            var current = best
            var origins = Array(0..<stateCount)
            for state in 0..<stateCount {
                if index == 0 {
                    current[state] = state <= 1 ? 0 : -.infinity
                } else {
                    if state > 0, best[state - 1] > current[state] {
                        (current[state], origins[state]) = (best[state - 1], state - 1)
                    }
                    if self.maySkipGap(before: state, of: labels), best[state - 2] > current[state] {
                        (current[state], origins[state]) = (best[state - 2], state - 2)
                    }
                }
                current[state] += logf(self.probability(ofState: state, of: columns, at: step))
            }
            best = current
            backpointers.append(origins)
        }
        var state = stateCount >= 2 && best[stateCount - 2] > best[stateCount - 1] ? stateCount - 2 : stateCount - 1
        guard best[state] > -.infinity else { return nil }
        var weights = [Float](repeating: 0, count: labels.count)
        var characters = labels.map { CTCCharacter(label: $0, confidence: 0, centre: 0) }
        for (origins, step) in zip(backpointers, steps).reversed() {
            if Self.isLabel(state) {
                let (index, weight) = (state / 2, self.probability(ofState: state, of: columns, at: step))
                characters[index].centre += (Float(step) + 0.5) * self.pixelsPerStep * weight
                characters[index].confidence = max(characters[index].confidence, weight)
                weights[index] += weight
            }
            state = origins[state]
        }
        for index in labels.indices { characters[index].centre /= weights[index] }
        return characters
    }

    /// Whether a state is a label; even states are the gaps between labels.
    private static func isLabel(_ state: Int) -> Bool { state % 2 == 1 }

    /// Whether a path may skip the gap before a label: where the label before it differs.
    private func maySkipGap(before state: Int, of labels: [Int]) -> Bool {
        state >= 3 && Self.isLabel(state) && labels[state / 2] != labels[state / 2 - 1]
    }

    /// Returns the probability of a state in a step, by the columns of its labels; `nil` is that of a class that is not kept.
    private func probability(ofState state: Int, of columns: [Int?], at step: Int) -> Float {
        guard Self.isLabel(state) else { return self.gaps[step] }
        return columns[state / 2].map { self.values[step * self.columns.count + $0] } ?? Self.floor
    }
}
