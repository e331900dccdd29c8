internal import TextModel

/// Restriction of a recognizer to an allow list of characters, which the decoder honours.
///
/// The decoder gets an alphabet of the allowed characters and a substitute for all others, and logits for these. The logit of a
/// character that is not allowed counts for those allowed ones that look like it: with digits alone, an O is a 0, with letters
/// of English alone an É is an E. Where another character is far more probable than all allowed ones, the substitute is
/// decoded; words that mostly consist of it are no text of this alphabet, and from others it is removed.
struct CharacterRestriction {
    private enum Tuning {
        /// Log-ratio from which another character is far more probable: about 1 to 50; not measured alone.
        static let margin: Float = 4
        /// Share of substitutes in a word from which the word is removed; not measured alone.
        static let maxSubstitutes: Float = 0.5
    }

    /// Character of the substitute, which no alphabet of a model has.
    private static let substitute = "\u{FFFD}"

    /// Alphabet of the allowed characters, the substitute last.
    let alphabet: Alphabet
    /// Classes of the whole alphabet whose logits count for each class of ``alphabet``, the blank first.
    private let sources: [[Int]]
    /// Whether each class of the whole alphabet counts for an allowed one.
    private let isIncluded: [Bool]

    /// Class of the substitute.
    private var substitute: Int { self.alphabet.count - 1 }
    /// Classes without the substitute.
    var allowed: ClassMask { ClassMask(labels: Array(1..<self.substitute)) }

    /// Creates the restriction of an alphabet.
    ///
    /// - Parameters:
    ///   - allowed: The allowed characters.
    ///   - mask: The classes of the languages; `nil` for all.
    ///   - alphabet: The whole alphabet.
    init(_ allowed: AllowedCharacters, mask: ClassMask?, of alphabet: Alphabet) {
        var labels: [String: Int] = [:]
        var (characters, sources): ([String], [[Int]]) = ([], [])
        for (label, character) in alphabet.characters.enumerated() where label != Alphabet.blank {
            guard character == " " || allowed.contains(character), mask?.contains(label) ?? true else { continue }
            if let known = labels[character] {
                sources[known].append(label)
            } else {
                labels[character] = characters.count
                characters.append(character)
                sources.append([label])
            }
        }
        if labels[" "] == nil {
            labels[" "] = characters.count
            characters.append(" ")
            sources.append([alphabet.space])
        }
        for (label, character) in alphabet.characters.enumerated() where label != Alphabet.blank {
            // An e is misread as 0 where it is blurred, but does not look like one.
            guard labels[character] == nil, character != "e" else { continue }
            let others = alphabet.confusables(of: label) + [alphabet.baseLabel(of: label)].compactMap(\.self)
            let similar = [character.narrowed] + others.map { alphabet.characters[$0] }
            for place in Set(similar.compactMap { labels[$0] }) { sources[place].append(label) }
        }
        self.alphabet = Alphabet(characters: characters + [Self.substitute])
        self.sources = [[Alphabet.blank]] + sources
        var isIncluded = [Bool](repeating: false, count: alphabet.count)
        for label in self.sources.joined() { isIncluded[label] = true }
        self.isIncluded = isIncluded
    }

    /// Returns the logits of the restricted alphabet, row by row.
    func values(of logits: Logits) -> [BFloat16] {
        let width = self.alphabet.count
        var values: [BFloat16] = []
        values.reserveCapacity(logits.stepCount * width)
        for step in 0..<logits.stepCount {
            var row = self.sources.map { sources in
                sources.lazy.filter { $0 < logits.classCount }.map { logits.logit(of: $0, in: step) }.max()
                    ?? -.greatestFiniteMagnitude
            }
            row.append(-.greatestFiniteMagnitude)
            if case .character(let label) = logits.emission(at: step, allowed: nil), !self.isIncluded[label],
                let best = row.indices.dropFirst().max(by: { row[$0] < row[$1] })
            {
                let other = logits.logit(of: label, in: step)
                // There is a character: the best allowed one, unless it is hardly possible.
                row[row[best] >= other - Tuning.margin ? best : self.substitute] = other
            }
            values += row.map(BFloat16.init(truncating:))
        }
        return values
    }

    /// Returns characters without substitutes, and without words that mostly consist of them.
    func accepted(_ characters: [CTCCharacter]) -> [CTCCharacter] {
        characters.split(omittingEmptySubsequences: false) { self.alphabet.isSpace($0.label) }.reduce(into: []) {
            accepted,
            word in
            let count = word.count { $0.label == self.substitute }
            if Float(count) < Tuning.maxSubstitutes * Float(word.count) {
                accepted += word.filter { $0.label != self.substitute }
            }
            // The space that ended the word, unless nothing stands before it.
            if word.endIndex < characters.endIndex, accepted.last.map({ !self.alphabet.isSpace($0.label) }) ?? false {
                accepted.append(characters[word.endIndex])
            }
        }
    }
}

extension BFloat16 {
    /// The number without its lower sixteen bits.
    fileprivate init(truncating number: Float) { self.init(bitPattern: UInt16(number.bitPattern >> 16)) }
}
