internal import Glibc

/// Greedy decoder for connectionist temporal classification (CTC).
///
/// Takes the ``Logits`` of a line and gives its characters, placed in time steps. Graves et al., Connectionist Temporal
/// Classification (ICML 2006), section 3.2: best path decoding.
enum CTCDecoder {
    /// Decodes the most probable path, with repeats merged and blanks dropped.
    ///
    /// - Parameters:
    ///   - logits: Those of the whole input; in its margin a network mostly emits the blank.
    ///   - alphabet: The characters of the classes.
    ///   - allowed: The classes that may be decoded; `nil` for all.
    ///   - nearMiss: Log-ratio to the blank from which a character is a near miss; `nil` to search none.
    /// - Returns: The characters in order, spaces among them.
    static func bestPath(
        _ logits: Logits,
        _ alphabet: Alphabet,
        allowed: ClassMask?,
        nearMiss: Float? = nil
    ) -> [CTCCharacter] {
        var path = Path(logits: logits, alphabet: alphabet)
        for step in 0..<logits.stepCount {
            switch logits.emission(at: step, allowed: allowed, nearMiss: nearMiss) {
            case .blank(let nearMiss): path.appendBlank(at: step, nearMiss: nearMiss)
            case .character(let label): path.append(label, at: step)
            }
        }
        path.finish()
        return path.characters
    }

    /// Best path through the steps so far.
    private struct Path {
        let logits: Logits
        let alphabet: Alphabet
        private(set) var characters: [CTCCharacter] = []
        /// Class of the last step.
        private var previousLabel = Alphabet.blank
        /// Sum of the last character's probabilities over its steps.
        private var probabilitySum: Float = 0
        /// Value of ``CTCCharacter/missedSpace`` since the last character.
        private var missedSpace = -Float.infinity
        /// Character or near miss of the last step.
        private var candidate: Int?
        /// Whether ``candidate`` was decoded in one of its steps.
        private var isCandidateDecoded = false
        /// Whether a near miss ended since the last decoded character.
        private var hasNearMiss = false

        init(logits: Logits, alphabet: Alphabet) {
            self.logits = logits
            self.alphabet = alphabet
        }

        /// Appends a step that emits the blank.
        mutating func appendBlank(at step: Int, nearMiss: Int?) {
            self.missedSpace = max(
                self.missedSpace,
                self.logits.logRatio(of: self.alphabet.space, to: Alphabet.blank, in: step)
            )
            self.previousLabel = Alphabet.blank
            // A missed space is reported as such, not as a near miss.
            self.follow(nearMiss.flatMap { self.alphabet.isSpace($0) ? nil : $0 }, isDecoded: false)
        }

        /// Appends a step that emits a character, or merges it with the last one.
        mutating func append(_ label: Int, at step: Int) {
            let probability = self.logits.probability(of: label, in: step)
            let centre = Float(step) + 0.5
            if label == self.previousLabel, var last = self.characters.popLast() {
                last.centre =
                    (last.centre * self.probabilitySum + centre * probability) / (self.probabilitySum + probability)
                last.confidence = max(last.confidence, probability)
                self.probabilitySum += probability
                last.alternatives = self.alternatives(to: label, at: step, last.alternatives)
                self.characters.append(last)
                return
            }
            self.follow(label, isDecoded: true)
            let isSpace = self.alphabet.isSpace(label)
            if isSpace, let last = self.characters.indices.last, !self.isSpace(last) { self.attachNearMiss(to: last) }
            self.characters.append(
                CTCCharacter(
                    label: label,
                    confidence: probability,
                    centre: centre,
                    missedSpace: self.missedSpace,
                    alternatives: self.alternatives(to: label, at: step)
                )
            )
            // A near miss between two spaces belongs to the next character.
            if !isSpace { self.attachNearMiss(to: self.characters.count - 1) }
            self.previousLabel = label
            self.probabilitySum = probability
            self.missedSpace = -.infinity
        }

        /// Ends the path.
        mutating func finish() {
            self.follow(nil, isDecoded: false)
            if let last = self.characters.indices.last(where: { !self.isSpace($0) }) { self.attachNearMiss(to: last) }
            self.findVariants()
        }

        /// Finds the variants of a character that is the only one.
        private mutating func findVariants() {
            let indices = self.characters.indices.filter { !self.isSpace($0) }
            guard indices.count == 1 else { return }
            let label = self.characters[indices[0]].label
            // The centre of its steps is in one of them.
            let step = Int(self.characters[indices[0]].centre)
            let known = self.alphabet.variants(of: label).filter { $0 < self.logits.classCount }
            self.characters[indices[0]].variantRatio = known.reduce(0) {
                $0 + expf(self.logits.logRatio(of: $1, to: label, in: step))
            }
        }

        /// Follows the character or near miss of a step; a different one ends the last.
        private mutating func follow(_ label: Int?, isDecoded: Bool) {
            if label != self.candidate {
                // What was never decoded is a near miss; what was is the begin or end of a character.
                self.hasNearMiss = self.hasNearMiss || self.candidate != nil && !self.isCandidateDecoded
                self.isCandidateDecoded = false
            }
            self.candidate = label
            self.isCandidateDecoded = self.isCandidateDecoded || isDecoded
        }

        private mutating func attachNearMiss(to index: Int) {
            self.characters[index].isBesideNearMiss = self.characters[index].isBesideNearMiss || self.hasNearMiss
            self.hasNearMiss = false
        }

        /// Returns the confusables of a class with the larger of their log-ratios in this step and in those before.
        private func alternatives(
            to label: Int,
            at step: Int,
            _ before: [CTCCharacter.Alternative] = []
        ) -> [CTCCharacter.Alternative] {
            let known = self.alphabet.confusables(of: label).filter { $0 < self.logits.classCount }
            return known.enumerated().map { index, confusable in
                let ratio = self.logits.logRatio(of: confusable, to: label, in: step)
                return CTCCharacter.Alternative(
                    label: confusable,
                    logRatio: before.isEmpty ? ratio : max(ratio, before[index].logRatio)
                )
            }
        }

        private func isSpace(_ index: Int) -> Bool { self.alphabet.isSpace(self.characters[index].label) }
    }
}
