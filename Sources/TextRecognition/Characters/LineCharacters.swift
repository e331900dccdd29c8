/// Characters of a line, and the words that they make up.
///
/// Takes located characters in pixels of the rectified line; corrects what only their places show, and splits them into
/// words.
struct LineCharacters {
    /// Characters without spaces, in reading order.
    var characters: [LocatedCharacter]
    /// Ranges of characters that make up words, in order.
    var words: [Range<Int>]

    /// Chosen by hand on rendered degree signs (accuracy log, *Look-alike characters*); not measured alone.
    private enum Tuning {
        /// Least log-ratio of a degree sign with its unit to the unit alone.
        static let minDegreeLogRatio: Float = -4
        /// Width of such a sign's box in heights; a C alone is no wider than high.
        static let degreeWidth: ClosedRange<Float> = 1.15...1.8
    }

    /// Creates the characters of a line that are not split into words yet.
    init(_ characters: [LocatedCharacter], words: [Range<Int>] = []) {
        self.characters = characters
        self.words = words
    }

    /// Recognized characters; setting them keeps their boxes.
    var recognized: [CTCCharacter] {
        get { self.characters.map(\.recognized) }
        set { for index in self.characters.indices { self.characters[index].recognized = newValue[index] } }
    }

    /// Returns the text of a character; a degree sign that is one with its unit is written as two.
    func text(of index: Int, _ alphabet: Alphabet) -> String {
        switch alphabet.characters[self.characters[index].recognized.label] {
        case "℃": "°C"
        case "℉": "°F"
        case let text: text
        }
    }

    /// Returns the columns from the centre of the character before one to the centre of the character behind it.
    func columns(around index: Int) -> Range<Float> {
        let start = index > 0 ? self.characters[index - 1].box.centreX : -.infinity
        let end = index + 1 < self.characters.count ? self.characters[index + 1].box.centreX : .infinity
        return start..<max(start, end)
    }

    /// Removes characters; the next one inherits the space before each.
    mutating func remove(_ indices: [Int]) {
        for index in indices.reversed() {
            let space = self.characters.remove(at: index).spaceLogOdds
            if index < self.characters.count {
                self.characters[index].spaceLogOdds = max(self.characters[index].spaceLogOdds, space)
            }
        }
    }

    /// Adds marks that were not recognized at the ends of the line.
    mutating func add(_ marks: EdgeMarks, _ alphabet: Alphabet) {
        for mark in marks.leading.reversed() {
            guard let label = alphabet.label(of: mark.text) else { continue }
            if !self.characters.isEmpty { self.characters[0].spaceLogOdds = mark.spaceLogOdds }
            self.characters.insert(LocatedCharacter(mark, label: label), at: 0)
        }
        for mark in marks.trailing {
            guard let label = alphabet.label(of: mark.text) else { continue }
            self.characters.append(LocatedCharacter(mark, label: label))
        }
    }

    /// Splits the characters into words.
    ///
    /// - Parameters:
    ///   - alphabet: The alphabet of the characters.
    ///   - dictionary: Words in that alphabet; `nil` without a dictionary.
    ///   - expected: Words that the client expects, in that alphabet.
    ///   - rules: Columns of vertical rules, at which words end.
    mutating func split(
        _ alphabet: Alphabet,
        _ dictionary: WordDictionary? = nil,
        expected: Lexicon? = nil,
        rules: [Float]
    ) {
        var glyphs = self.characters.map {
            WordSplitter.Glyph(
                box: $0.box,
                text: alphabet.characters[$0.recognized.label],
                spaceLogOdds: $0.spaceLogOdds
            )
        }
        for index in glyphs.indices.dropFirst() {
            let centre = glyphs[index - 1].box.centreX
            let between = centre..<max(centre, glyphs[index].box.centreX)
            if rules.contains(where: between.contains) { glyphs[index].spaceLogOdds = .infinity }
        }
        let words = dictionary.map {
            WordSpacing(self.characters.map(\.recognized.label), of: alphabet, $0, expected: expected)
        }
        self.words = WordSplitter.words(glyphs, by: words)
    }
}

extension LineCharacters {
    /// Degree signs with their units, by the unit.
    private static let degrees = ["C": "℃", "F": "℉"]
    private static let degreeSigns: Set = ["°", "º"]

    /// Replaces C and F by degree signs where these were nearly recognized and the box is wide enough for both; removes the sign
    /// that was recognized once more before its unit.
    mutating func readDegrees(_ alphabet: Alphabet) {
        let texts = self.characters.map { alphabet.characters[$0.recognized.label] }
        self.remove(
            zip(texts, texts.dropFirst()).enumerated().filter {
                Self.degreeSigns.contains($1.0) && ["℃", "℉"].contains($1.1)
            }
            .map(\.offset)
        )
        for index in self.characters.indices {
            let (recognized, box) = (self.characters[index].recognized, self.characters[index].box)
            guard let sign = Self.degrees[alphabet.characters[recognized.label]],
                let alternative = recognized.alternatives.first(where: { alphabet.characters[$0.label] == sign }),
                alternative.logRatio >= Tuning.minDegreeLogRatio,
                Tuning.degreeWidth.contains(box.width / max(1, box.height))
            else { continue }
            self.characters[index].recognized.label = alternative.label
        }
    }
}

extension EdgeMarks.Mark {
    /// Log-odds of a space between the mark and the character next to it: none, or undecided.
    fileprivate var spaceLogOdds: Float { self.isAttached ? -.infinity : 0 }
}

extension LocatedCharacter {
    /// Creates the character of a mark that was not recognized.
    fileprivate init(_ mark: EdgeMarks.Mark, label: Int) {
        self.recognized = CTCCharacter(label: label, confidence: EdgeMarks.confidence, centre: mark.box.centreX)
        self.box = mark.box
        self.spaceLogOdds = mark.spaceLogOdds
    }
}
