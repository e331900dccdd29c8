/// One character of a line as the recogniser's time steps tell it.
struct CTCCharacter {
    /// Its class in the alphabet.
    var label: Int
    /// The probability of the class where it is highest.
    var confidence: Float
    /// The middle of the steps that say it, weighted by their probability; step 0 covers 0...1.
    var centre: Float
    /// How near a space that was not read before it came to being read: the logarithm of its probability as a share of the
    /// blank's, 0 or less, in the step where it is largest; minus infinity where there is no blank between.
    var unreadSpace: Float = -.infinity
}

extension Collection<CTCCharacter> {
    /// The mean of the characters' confidences; 0 where there are none.
    var meanConfidence: Float {
        self.isEmpty ? 0 : self.reduce(0) { $0 + $1.confidence } / Float(self.count)
    }
}

/// Reads the output of a network trained with connectionist temporal classification: for each time step how likely each class
/// and the blank are.
///
/// Graves et al., Connectionist Temporal Classification (ICML 2006), section 3.2: best path decoding.
enum CTCDecoder {
    /// The most probable path, with repeats merged and blanks dropped.
    ///
    /// - Parameters:
    ///   - scores: Of the steps of the whole input; in its margin a network mostly says the blank.
    ///   - space: The class that is the space.
    ///   - allowed: The classes that may be read; `nil` for all.
    /// - Returns: The characters in order, spaces among them.
    static func bestPath(_ scores: ClassScores, space: Int, allowed: ClassMask?) -> [CTCCharacter] {
        var characters: [CTCCharacter] = []
        var previous = Alphabet.blank
        var weight: Float = 0
        var unreadSpace = -Float.infinity
        for step in 0..<scores.stepCount {
            let label = scores.best(in: step, allowed: allowed)
            defer { previous = label }
            guard label != Alphabet.blank else {
                unreadSpace = max(unreadSpace, scores.logRatio(of: space, to: label, in: step))
                continue
            }
            let probability = scores.probability(of: label, in: step)
            let centre = Float(step) + 0.5
            if label == previous, var last = characters.popLast() {
                last.centre = (last.centre * weight + centre * probability) / (weight + probability)
                last.confidence = max(last.confidence, probability)
                weight += probability
                characters.append(last)
            } else {
                characters.append(
                    CTCCharacter(label: label, confidence: probability, centre: centre, unreadSpace: unreadSpace)
                )
                weight = probability
            }
            unreadSpace = -.infinity
        }
        return characters
    }
}

/// The classes of an alphabet that may be read.
struct ClassMask: Sendable {
    /// In ascending order, without the blank, which is always allowed.
    let labels: [Int]

    /// Those of a network's first `count` classes.
    func labels(below count: Int) -> ArraySlice<Int> {
        guard let last = self.labels.last, last >= count else { return self.labels[...] }
        var (low, high) = (0, self.labels.count)
        while low < high {
            let middle = (low + high) / 2
            if self.labels[middle] < count { low = middle + 1 } else { high = middle }
        }
        return self.labels[..<low]
    }
}
