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
    /// Whether a letter that was not read came near to it, before this one or between it and its word's end.
    var isNearUnread = false
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
            case .blank(let near): path.skip(step, near: near)
            case .character(let label): path.read(label, in: step)
            }
        }
        path.endWord()
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
        /// The letters that nearly were read since the last character.
        private var unread: [Int] = []

        init(scores: ClassScores, space: Int) {
            self.scores = scores
            self.space = space
        }

        /// Goes past a blank, to which a character may have come near.
        mutating func skip(_ step: Int, near: Int?) {
            self.unreadSpace = max(
                self.unreadSpace,
                self.scores.logRatio(of: self.space, to: Alphabet.blank, in: step)
            )
            // Where a letter begins and ends, it is near itself.
            if let near, near != self.space, near != self.characters.last?.label { self.unread.append(near) }
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
            if label == self.space { self.endWord() }
            self.characters.append(
                CTCCharacter(
                    label: label,
                    confidence: probability,
                    centre: centre,
                    unreadSpace: self.unreadSpace,
                    isNearUnread: self.unread.contains { $0 != label }
                )
            )
            self.previous = label
            self.weight = probability
            self.unreadSpace = -.infinity
            self.unread.removeAll(keepingCapacity: true)
        }

        /// Leaves what is unread to the letter before.
        mutating func endWord() {
            guard !self.unread.isEmpty, !self.characters.isEmpty else { return }
            self.characters[self.characters.count - 1].isNearUnread = true
            self.unread.removeAll(keepingCapacity: true)
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
