internal import TextModel

/// Reader of names in Latin script that stand in a line of another script.
///
/// Beside letters of the other script the networks drop some of a name, and take the rest for that script. By itself a name is read
/// (accuracy log, *Latin names in lines of other scripts*).
struct NameReader {
    private enum Tuning {
        /// Least confidence of each character (ibid.).
        static let minConfidence: Float = 0.8
        /// Least probability of Latin script (ibid.).
        static let minProbability: Float = 0.6
        /// The same where all letters look like those of another script (ibid.).
        static let minHomoglyphProbability: Float = 0.9
        /// Least number of letters; chosen by hand.
        static let minLetters = 3
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
        func names(_ run: Range<Int>) -> [ScriptReading.Word]? {
            self.names(in: reading.columns(of: run, in: ink, width: Float(crop.width)), of: crop, context)
        }
        var named = reading
        // From the last one on, so that the places of those before stay.
        for run in reading.possibleNames.reversed() {
            if let names = names(run) {
                named.words.replaceSubrange(run, with: names)
            } else if run.count > 1 {
                // One may stand beside a word that no dictionary has.
                named.words.replaceSubrange(run, with: run.flatMap { names($0..<$0 + 1) ?? [reading.words[$0]] })
            }
        }
        // Names alone are no line in another script, but what its reader and the networks misread.
        return named.text.contains { $0.isLetter && !Self.isLatin($0) } ? named : reading
    }

    private static func isLatin(_ letter: Character) -> Bool { Script.most(of: String(letter)) == .latin }

    /// Words that the networks read for certain in some columns of a crop, and their classifier takes for Latin; `nil` for others.
    private func names(in columns: Range<Float>, of crop: LineCrop, _ context: LineContext) -> [ScriptReading.Word]? {
        let quad = crop.map.quad(x0: columns.lowerBound, y0: 0, x1: columns.upperBound, y1: Float(LineSize.height))
        let image = self.images.take()
        defer { self.images.recycle(image) }
        guard LineSize(quad).isWhole,
            // Without its names the line is still read.
            let read = try? self.recognizer.recognize(
                [quad],
                in: context.frame.view,
                options: context.options,
                images: [image]
            ), let line = read.first, Self.isName(line)
        else { return nil }
        return Self.words(of: line, in: columns, of: crop)
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
