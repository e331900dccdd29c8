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
    /// Whether a letter was nearly read before it, or between it and its word's end: the likeliest one of a step that shows the
    /// blank, and no beginning or end of one that is read.
    var isBesideNearMiss = false
    /// The classes that it is confused with, and how near each came to being read.
    var rivals: [Rival] = []

    /// A class that might have been read instead.
    struct Rival {
        let label: Int
        /// The logarithm of its probability as a share of the one that was read, in the step where it is largest.
        var logRatio: Float
    }
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
    ///   - alphabet: What the classes say.
    ///   - allowed: The classes that may be read; `nil` for all.
    ///   - nearMiss: The logarithm of the share of the blank's probability from which on a letter is nearly read; `nil` to
    ///     look for none.
    /// - Returns: The characters in order, spaces among them.
    static func bestPath(
        _ scores: Logits,
        _ alphabet: Alphabet,
        allowed: ClassMask?,
        nearMiss: Float? = nil
    ) -> [CTCCharacter] {
        var path = Path(scores: scores, alphabet: alphabet)
        for step in 0..<scores.stepCount {
            switch scores.shown(in: step, allowed: allowed, nearMiss: nearMiss) {
            case .blank(let nearMiss): path.skip(step, nearMiss: nearMiss)
            case .character(let label): path.read(label, in: step)
            }
        }
        path.end()
        return path.characters
    }

    /// A way through the steps, as far as it was gone.
    private struct Path {
        let scores: Logits
        let alphabet: Alphabet
        private(set) var characters: [CTCCharacter] = []
        /// What the last step showed.
        private var previous = Alphabet.blank
        /// The probabilities of the last character in its steps, added up.
        private var weight: Float = 0
        /// See ``CTCCharacter/unreadSpace``, since the last character.
        private var unreadSpace = -Float.infinity
        /// The letter that the last step showed or nearly showed.
        private var near: Int?
        /// Whether ``near`` is the end of the last character.
        private var isEnd = false
        /// Whether a letter was nearly read since the last one that was read.
        private var hasUnread = false

        init(scores: Logits, alphabet: Alphabet) {
            self.scores = scores
            self.alphabet = alphabet
        }

        /// Goes past a blank, where a character may have been nearly read.
        mutating func skip(_ step: Int, nearMiss: Int?) {
            self.unreadSpace = max(
                self.unreadSpace,
                self.scores.logRatio(of: self.alphabet.space, to: Alphabet.blank, in: step)
            )
            self.previous = Alphabet.blank
            self.show(nearMiss.flatMap { self.alphabet.isSpace($0) ? nil : $0 }, isRead: false)
        }

        /// Reads a character, or one step more of it.
        mutating func read(_ label: Int, in step: Int) {
            let probability = self.scores.probability(of: label, in: step)
            let centre = Float(step) + 0.5
            if label == self.previous, var last = self.characters.popLast() {
                last.centre = (last.centre * self.weight + centre * probability) / (self.weight + probability)
                last.confidence = max(last.confidence, probability)
                self.weight += probability
                last.rivals = self.rivals(of: label, in: step, last.rivals)
                self.characters.append(last)
                return
            }
            self.show(label, isRead: true)
            let isSpace = self.alphabet.isSpace(label)
            if isSpace, let last = self.characters.indices.last, !self.isSpace(last) { self.leaveUnread(to: last) }
            self.characters.append(
                CTCCharacter(
                    label: label,
                    confidence: probability,
                    centre: centre,
                    unreadSpace: self.unreadSpace,
                    rivals: self.rivals(of: label, in: step)
                )
            )
            // What was nearly read between two spaces is left to the letter behind them.
            if !isSpace { self.leaveUnread(to: self.characters.count - 1) }
            self.previous = label
            self.weight = probability
            self.unreadSpace = -.infinity
        }

        /// Ends the line.
        mutating func end() {
            self.show(nil, isRead: false)
            if let last = self.characters.indices.last(where: { !self.isSpace($0) }) { self.leaveUnread(to: last) }
        }

        /// Sees which letter a step shows or nearly shows: another than the last one did ends that.
        private mutating func show(_ letter: Int?, isRead: Bool) {
            if letter != self.near {
                self.hasUnread = self.hasUnread || self.near != nil && !self.isEnd
                self.isEnd = false
            }
            self.near = letter
            self.isEnd = self.isEnd || isRead
        }

        private mutating func leaveUnread(to letter: Int) {
            self.characters[letter].isBesideNearMiss = self.characters[letter].isBesideNearMiss || self.hasUnread
            self.hasUnread = false
        }

        /// How near the classes that `label` is confused with come to being read in a step, or came in one before.
        private func rivals(of label: Int, in step: Int, _ before: [CTCCharacter.Rival] = []) -> [CTCCharacter.Rival] {
            self.alphabet.rivals(of: label).enumerated().map { index, rival in
                let ratio = self.scores.logRatio(of: rival, to: label, in: step)
                return CTCCharacter.Rival(
                    label: rival,
                    logRatio: before.isEmpty ? ratio : max(ratio, before[index].logRatio)
                )
            }
        }

        private func isSpace(_ index: Int) -> Bool { self.alphabet.isSpace(self.characters[index].label) }
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
