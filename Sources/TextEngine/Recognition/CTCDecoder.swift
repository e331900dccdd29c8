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
    /// Whether a letter was nearly read before it, or between it and its word's end: one at least a fifth as likely as the
    /// blank that was read there.
    var isBesideNearlyRead = false
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
        var path = Path(scores: scores, space: space)
        for step in 0..<scores.stepCount {
            switch scores.shown(in: step, allowed: allowed) {
            case .blank(let nearlyRead): path.skip(step, nearlyRead)
            case .character(let label): path.read(label, in: step)
            }
        }
        path.endLine()
        return path.characters
    }

    /// A way through the steps, as far as it was gone.
    private struct Path {
        let scores: ClassScores
        let space: Int
        private(set) var characters: [CTCCharacter] = []
        /// What the last step showed.
        private var previous = Alphabet.blank
        /// The probabilities of the last character in its steps, added up.
        private var weight: Float = 0
        /// See ``CTCCharacter/unreadSpace``, since the last character.
        private var unreadSpace = -Float.infinity
        /// The letters that were nearly read since the last one that was.
        private var nearlyRead: [Int] = []

        init(scores: ClassScores, space: Int) {
            self.scores = scores
            self.space = space
        }

        /// Goes past a blank, where a character may have been nearly read.
        mutating func skip(_ step: Int, _ nearlyRead: Int?) {
            self.unreadSpace = max(
                self.unreadSpace,
                self.scores.logRatio(of: self.space, to: Alphabet.blank, in: step)
            )
            // A letter is nearly read itself where it begins and ends.
            if let nearlyRead, nearlyRead != self.space, nearlyRead != self.characters.last?.label {
                self.nearlyRead.append(nearlyRead)
            }
            self.previous = Alphabet.blank
        }

        /// Reads a character, or one step more of it.
        mutating func read(_ label: Int, in step: Int) {
            let probability = self.scores.probability(of: label, in: step)
            let centre = Float(step) + 0.5
            if label == self.previous, var last = self.characters.popLast() {
                last.centre = (last.centre * self.weight + centre * probability) / (self.weight + probability)
                last.confidence = max(last.confidence, probability)
                self.weight += probability
                self.characters.append(last)
                return
            }
            let isSpace = label == self.space
            if isSpace { self.endWord() }
            self.characters.append(
                CTCCharacter(
                    label: label,
                    confidence: probability,
                    centre: centre,
                    unreadSpace: self.unreadSpace,
                    isBesideNearlyRead: !isSpace && self.nearlyRead.contains { $0 != label }
                )
            )
            self.previous = label
            self.weight = probability
            self.unreadSpace = -.infinity
            // What was nearly read between two spaces is left to the letter behind them.
            if !isSpace { self.nearlyRead.removeAll(keepingCapacity: true) }
        }

        /// Leaves what was nearly read to the letter before, where one stands.
        private mutating func endWord() {
            guard let last = self.characters.last, last.label != self.space else { return }
            self.leave(to: self.characters.count - 1)
        }

        /// Leaves what was nearly read to the last letter.
        mutating func endLine() {
            if let last = self.characters.lastIndex(where: { $0.label != self.space }) { self.leave(to: last) }
        }

        private mutating func leave(to letter: Int) {
            guard !self.nearlyRead.isEmpty else { return }
            self.characters[letter].isBesideNearlyRead = true
            self.nearlyRead.removeAll(keepingCapacity: true)
        }
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
