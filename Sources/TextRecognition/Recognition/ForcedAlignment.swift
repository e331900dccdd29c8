internal import Glibc

/// What a network says, step by step, about the characters that matter for a lexicon; in its time steps.
struct ForcedAlignment {
    /// For each class that is kept, its column in ``values``.
    private let columns: [Int: Int]
    private let values: [Float]
    /// The probability that a step shows no letter: the blank's and the space's.
    private let gaps: [Float]
    /// Columns of the straightened line that a step stands for.
    let pixelsPerStep: Float

    /// What a step that shows something else leaves a class at least, so that no product is zero.
    private static let floor: Float = 1e-6

    /// Takes the probabilities of `labels` out of a network's answer, which may not have all of them.
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

    var stepCount: Int { self.gaps.count }

    /// The logarithm of the probability that `steps` show `labels` and nothing else.
    ///
    /// Graves et al., Connectionist Temporal Classification (ICML 2006), section 4.1: the forward variables.
    func logProbability(of labels: [Int], in steps: Range<Int>) -> Float {
        var before = [Float](repeating: 0, count: 2 * labels.count + 1)
        var logarithm: Float = 0
        before[0] = 1
        for (index, step) in steps.enumerated() {
            var now = before
            for state in now.indices {
                // Before the first step everything is in the first state, which may also be left out.
                var sum = index == 0 ? (state <= 1 ? 1 : 0) : before[state]
                if index > 0, state > 0 { sum += before[state - 1] }
                if index > 0, self.skips(labels, to: state) { sum += before[state - 2] }
                now[state] = sum * self.probability(labels, state, step)
            }
            let scale = now.reduce(0, +)
            guard scale > 0 else { return -.infinity }
            logarithm += logf(scale)
            before = now.map { $0 / scale }
        }
        let ends = before[before.count - 1] + (labels.isEmpty ? 0 : before[before.count - 2])
        return steps.isEmpty && !labels.isEmpty ? -.infinity : logarithm + logf(ends)
    }

    /// The characters of the most probable way in which `steps` show `labels`; `nil` where they are too few.
    func characters(of labels: [Int], in steps: Range<Int>) -> [CTCCharacter]? {
        let stateCount = 2 * labels.count + 1
        var best = [Float](repeating: -.infinity, count: stateCount)
        var cameFrom: [[Int]] = []
        for (index, step) in steps.enumerated() {
            var now = best
            var from = Array(0..<stateCount)
            for state in 0..<stateCount {
                if index == 0 {
                    now[state] = state <= 1 ? 0 : -.infinity
                } else {
                    if state > 0, best[state - 1] > now[state] {
                        (now[state], from[state]) = (best[state - 1], state - 1)
                    }
                    if self.skips(labels, to: state), best[state - 2] > now[state] {
                        (now[state], from[state]) = (best[state - 2], state - 2)
                    }
                }
                now[state] += logf(self.probability(labels, state, step))
            }
            best = now
            cameFrom.append(from)
        }
        var state = stateCount >= 2 && best[stateCount - 2] > best[stateCount - 1] ? stateCount - 2 : stateCount - 1
        guard best[state] > -.infinity else { return nil }
        var weights = [Float](repeating: 0, count: labels.count)
        var characters = labels.map { CTCCharacter(label: $0, confidence: 0, centre: 0) }
        for (from, step) in zip(cameFrom, steps).reversed() {
            if state % 2 == 1 {
                let (letter, weight) = (state / 2, self.probability(labels, state, step))
                characters[letter].centre += (Float(step) + 0.5) * self.pixelsPerStep * weight
                characters[letter].confidence = max(characters[letter].confidence, weight)
                weights[letter] += weight
            }
            state = from[state]
        }
        for letter in labels.indices { characters[letter].centre /= weights[letter] }
        return characters
    }

    /// Whether a way may come to `state` from the one before the last: between two letters that differ.
    private func skips(_ labels: [Int], to state: Int) -> Bool {
        state >= 3 && state % 2 == 1 && labels[state / 2] != labels[state / 2 - 1]
    }

    /// The probability of a state: gaps are even, letters odd.
    private func probability(_ labels: [Int], _ state: Int, _ step: Int) -> Float {
        guard state % 2 == 1 else { return self.gaps[step] }
        return self.columns[labels[state / 2]].map { self.values[step * self.columns.count + $0] } ?? Self.floor
    }
}
