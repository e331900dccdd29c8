/// Recognizer with its alphabet.
public struct RecognizerModel: Sendable {
    var model: any InferenceModel<BFloat16>
    var alphabet: Alphabet
    var scripts: ScriptPolicy?
    /// Dictionary by which misread words are corrected, which all recognizers share; `nil` to correct none.
    var dictionary: WordDictionary?
    /// Constraints by options of clients, which all recognizers share.
    let constraints = SharedCache<DecoderConstraints.Key, DecoderConstraints>(maxCount: Self.maxConstraints)

    /// Number of different options whose constraints are kept, each in up to a megabyte; not measured.
    private static let maxConstraints = 16

    /// Creates a recognizer from `model`, whose classes are those of `alphabet`.
    ///
    /// - Parameters:
    ///   - model: The network. A second output has the scores of scripts.
    ///   - alphabet: The characters of its classes.
    ///   - scripts: The policy for lines in scripts that it does not read; `nil` to read every line.
    ///   - words: The words by which misread ones are corrected; `nil` to correct none.
    public init(
        model: any InferenceModel<BFloat16>,
        alphabet: Alphabet,
        scripts: ScriptPolicy? = nil,
        words: WordFilter? = nil
    ) {
        self.model = model
        self.alphabet = alphabet
        self.scripts = scripts
        self.dictionary = words.map { WordDictionary($0, in: alphabet) }
    }
}
