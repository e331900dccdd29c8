internal import TextRecognition

/// Policy of the level `fast`, whose first recognizer is *tiny* and whose second one is *small*.
extension RejectionPolicy {
    private enum Tuning {
        /// Confidence below which a character is rejected, chosen together with ``minLineConfidence``.
        ///
        /// Without a budget, scenes have 0.478 of their words with 0.4 and 0.7, 0.520 with 0.6 and 0.7, and 0.528 with these
        /// (accuracy log, *Tiny in int8, a network per width, and a cascade budget*).
        static let minCharacterConfidence: Float = 0.75
        /// The same of a letter or digit by itself, for which signs such as a note are taken; no figures are recorded.
        static let minLoneConfidence: Float = 0.97
        /// Share of the blank's probability from which a character is a near miss.
        ///
        /// 0.37, 0.14 and 0.05 give scenes 0.572, 0.575 and 0.568 of their words, this 0.573, and it reads less again than 0.14
        /// (accuracy log, *Near-miss characters*).
        static let nearMiss: Float = 0.2
        /// Mean confidence of its characters below which a line is rejected; see ``minCharacterConfidence``.
        ///
        /// At both levels, a line read with a higher confidence is taken for another script only with near certainty
        /// (``ModelSize/scriptPolicy``).
        static let minLineConfidence: Float = 0.85
        /// Budget in columns.
        ///
        /// With its square over the demand, forms take 0.90 of the time that 800 columns at most take, and have 0.721 of their words
        /// for 0.725 (accuracy log, *A cascade budget for difficult frames*).
        static let maxColumns = 1000
    }

    /// Policy of `fast`.
    static let fast = RejectionPolicy(
        minCharacterConfidence: Tuning.minCharacterConfidence,
        minLoneConfidence: Tuning.minLoneConfidence,
        nearMiss: Tuning.nearMiss,
        minLineConfidence: Tuning.minLineConfidence,
        maxColumns: Tuning.maxColumns
    )
}
