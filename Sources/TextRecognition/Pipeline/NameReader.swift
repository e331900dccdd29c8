internal import TextModel

/// Reader of names in Latin script that stand in a line of another script.
///
/// Beside letters of the other script the networks drop some of a name, and take the rest for that script. By itself a name is read
/// (accuracy log, *Latin names in lines of other scripts*).
struct NameReader {
    private enum Tuning {
        /// Least confidence of each character (accuracy log, *Latin names in lines of other scripts*).
        static let minConfidence: Float = 0.8
        /// Least probability of Latin script (accuracy log, *Latin names in lines of other scripts*).
        static let minProbability: Float = 0.6
        /// The same where all letters look like those of another script (accuracy log, *Latin names in lines of other scripts*).
        static let minHomoglyphProbability: Float = 0.9
        /// Least number of letters; chosen by hand.
        static let minLetters = 3
        /// Most words of a line that are read alone, which bounds its time; not measured.
        static let maxAlone = 8
    }

    private let recognizer: LineRecognizer
    private let images: LineImagePool

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - recognizer: The recognizer of Latin script.
    ///   - images: The pool of buffers for rectified lines.
    init(_ recognizer: LineRecognizer, images: LineImagePool) { (self.recognizer, self.images) = (recognizer, images) }

    /// Returns a reading with names in the place of words that its reader has not recognized.
    ///
    /// - Parameters:
    ///   - reading: The reading of a line.
    ///   - crop: The crop that was read.
    ///   - ink: The pieces of ink of the crop.
    ///   - context: The frame and the languages allowed.
    /// - Returns: The reading.
    func withNames(
        _ reading: ScriptReading,
        of crop: LineCrop,
        ink: [BoundingBox],
        _ context: LineContext
    ) -> ScriptReading {
        func names(_ runs: [Range<Int>]) -> [[ScriptReading.Word]?] {
            let columns = runs.map { reading.columns(of: $0, in: ink, width: Float(crop.width)) }
            return self.names(in: columns, of: crop, context)
        }
        var named = reading
        var alone = 0
        // From the last one on, so that the places of those before stay.
        for run in reading.possibleNames.reversed() {
            if let name = names([run])[0] {
                named.words.replaceSubrange(run, with: name)
            } else if run.count > 1 {
                // One may stand beside a word that no dictionary has.
                let words = run.prefix(Tuning.maxAlone - alone).map { $0..<$0 + 1 }
                alone += words.count
                for (word, name) in zip(words, names(words)).reversed() {
                    if let name { named.words.replaceSubrange(word, with: name) }
                }
            }
        }
        // Names alone are no line in another script, but what its reader and the networks misread.
        return named.text.contains { $0.isLetter && !Self.isLatin($0) } ? named : reading
    }

    private static func isLatin(_ letter: Character) -> Bool { Script.most(of: String(letter)) == .latin }

    /// Names in ranges of columns of a crop; `nil` where the networks are not certain, or their classifier sees no Latin.
    private func names(
        in columns: [Range<Float>],
        of crop: LineCrop,
        _ context: LineContext
    ) -> [[ScriptReading.Word]?] {
        let quads = columns.map {
            crop.map.quad(x0: $0.lowerBound, y0: 0, x1: $0.upperBound, y1: Float(LineSize.height))
        }
        var names = [[ScriptReading.Word]?](repeating: nil, count: columns.count)
        let whole = quads.indices.filter { LineSize(quads[$0]).isWhole }
        for indices in Dictionary(grouping: whole, by: { LineSize(quads[$0]).inputWidth }).values {
            for start in stride(from: 0, to: indices.count, by: LineRecognizer.maxLines) {
                let batch = indices.dropFirst(start).prefix(LineRecognizer.maxLines)
                for (index, line) in zip(batch, self.lines(in: batch.map { quads[$0] }, context))
                where Self.isName(line) {
                    names[index] = Self.words(of: line, in: columns[index], of: crop)
                }
            }
        }
        return names
    }

    /// Lines that the networks read in quads of one input width; empty if they fail, since the line is read without its names.
    private func lines(in quads: [Quad], _ context: LineContext) -> [RecognizedLine] {
        let images = quads.map { _ in self.images.take() }
        defer { images.forEach(self.images.recycle) }
        var options = context.options
        // None of these changes the characters that are looked at.
        (options.candidates, options.customWords, options.languageCorrection) = (1, [], false)
        let lines = try? self.recognizer.recognize(quads, in: context.frame.view, options: options, images: images)
        return lines ?? []
    }

    /// Whether a line is a name.
    private static func isName(_ line: RecognizedLine) -> Bool {
        let letters = line.text.filter(\.isLetter)
        let minProbability =
            Homoglyphs.areAll(lettersOf: letters) ? Tuning.minHomoglyphProbability : Tuning.minProbability
        return letters.count >= Tuning.minLetters && letters.allSatisfy(Self.isLatin)
            && line.spacedCharacters.allSatisfy { $0.character.confidence >= Tuning.minConfidence }
            && line.scripts?.scores.whole.probability(of: .latin) ?? 0 >= minProbability
    }

    /// The words of a line that was read in some columns of a crop.
    private static func words(
        of line: RecognizedLine,
        in columns: Range<Float>,
        of crop: LineCrop
    ) -> [ScriptReading.Word] {
        let spaced = line.spacedCharacters
        let centres = spaced.map { crop.column(of: line.map($0.character.centre, Float(LineSize.height) / 2)) }
        let inner = zip(centres, centres.dropFirst()).map { ($0 + $1) / 2 }
        let bounds = [columns.lowerBound] + inner + [columns.upperBound]
        var words: [[ScriptReading.Character]] = []
        for (index, (character, spaceLogOdds)) in spaced.enumerated() {
            let read = ScriptReading.Character(
                text: line.alphabet.characters[character.label],
                confidence: character.confidence,
                columns: bounds[index]..<max(bounds[index], bounds[index + 1])
            )
            if words.isEmpty || spaceLogOdds > 0 { words.append([read]) } else { words[words.count - 1].append(read) }
        }
        return words.map { characters in
            let sum = characters.reduce(0) { $0 + $1.confidence }
            return ScriptReading.Word(characters: characters, confidence: sum / Float(characters.count))
        }
    }
}
