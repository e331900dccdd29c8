internal import Glibc

/// Character decoded from the time steps of a line; spaces are characters too.
struct CTCCharacter {
    /// Class in the alphabet.
    var label: Int
    /// Largest probability of the class over the character's time steps.
    var confidence: Float
    /// Centre of the character's time steps, weighted by probability.
    ///
    /// In time steps from the decoder, of which step 0 covers 0...1; in pixels of the rectified line in a
    /// ``RecognizedLine``.
    var centre: Float
    /// Largest log-ratio of a space to the blank since the previous character.
    ///
    /// It is 0 or less, and minus infinity where no blank lies between.
    var missedSpace: Float = -.infinity
    /// Whether a near miss lies before the character, or between it and the end of its word.
    ///
    /// A near miss is the most probable character of a step that emits the blank, unless a decoded one begins or ends there.
    var isBesideNearMiss = false
    /// Confusable classes, and how close each came to being decoded instead.
    var alternatives: [Alternative] = []
    /// Probability of the same letter with other accents or none, as a share of that of the class; 0 beside others.
    var variantRatio: Float = 0

    /// Probability that the decoded class or one of its confusables stands there; 1 at most.
    ///
    /// It is an upper bound, for ``confidence`` and each ``Alternative/logRatio`` may be of different time steps.
    var jointConfidence: Float {
        min(1, self.confidence * self.alternatives.reduce(1) { $0 + expf($1.logRatio) })
    }

    /// Probability that the letter stands there with any accent or none; 1 at most.
    ///
    /// It is an upper bound as ``jointConfidence`` is.
    var letterConfidence: Float { min(1, self.confidence * (1 + self.variantRatio)) }

    /// Confusable class that might have been decoded instead.
    struct Alternative {
        let label: Int
        /// Largest log-ratio of its probability to that of the decoded class over the character's time steps.
        var logRatio: Float
    }
}

extension Collection<CTCCharacter> {
    /// Mean of the characters' confidences; 0 without characters.
    var meanConfidence: Float {
        self.isEmpty ? 0 : self.reduce(0) { $0 + $1.confidence } / Float(self.count)
    }
}
