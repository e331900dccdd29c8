/// The characters of a line, where they are in the straightened line, and the words that they make up.
struct LineCharacters {
    /// Without spaces.
    var characters: [CTCCharacter]
    /// For each character.
    var boxes: [BoundingBox]
    /// For each character the log-odds of a space before it.
    private(set) var spaces: [Float]
    /// Ranges of characters, in order.
    var words: [Range<Int>] = []

    init(characters: [CTCCharacter], boxes: [BoundingBox], spaces: [Float]) {
        self.characters = characters
        self.boxes = boxes
        self.spaces = spaces
    }

    /// What a character says; a sign of degrees that is one with its unit is written as two.
    func text(of index: Int, _ alphabet: Alphabet) -> String {
        switch alphabet.characters[self.characters[index].label] {
        case "℃": "°C"
        case "℉": "°F"
        case let text: text
        }
    }

    /// Leaves characters out.
    mutating func remove(_ indices: [Int]) {
        for index in indices.reversed() {
            self.characters.remove(at: index)
            self.boxes.remove(at: index)
            let space = self.spaces.remove(at: index)
            if index < self.spaces.count { self.spaces[index] = max(self.spaces[index], space) }
        }
    }

    /// Adds marks that were not recognized at the ends of the line.
    mutating func add(_ marks: EdgeMarks, _ alphabet: Alphabet) {
        for mark in marks.leading.reversed() {
            guard let label = alphabet.label(of: mark.text) else { continue }
            if !self.spaces.isEmpty { self.spaces[0] = mark.isAttached ? -.infinity : 0 }
            self.insert(mark, label: label, at: 0)
        }
        for mark in marks.trailing {
            guard let label = alphabet.label(of: mark.text) else { continue }
            self.insert(mark, label: label, at: self.characters.count)
        }
    }

    private mutating func insert(_ mark: EdgeMarks.Mark, label: Int, at index: Int) {
        self.characters.insert(
            CTCCharacter(label: label, confidence: EdgeMarks.confidence, centre: mark.box.centreX),
            at: index
        )
        self.boxes.insert(mark.box, at: index)
        self.spaces.insert(mark.isAttached ? -.infinity : 0, at: index)
    }

    /// Divides the characters into words.
    ///
    /// - Parameters:
    ///   - alphabet: What their classes say.
    ///   - rules: Columns of vertical rules, at which words end.
    mutating func split(_ alphabet: Alphabet, rules: [Float]) {
        var spaces = self.spaces
        for index in spaces.indices.dropFirst() {
            let room = self.boxes[index - 1].centreX..<max(self.boxes[index - 1].centreX, self.boxes[index].centreX)
            if rules.contains(where: room.contains) { spaces[index] = .infinity }
        }
        self.words = WordSplitter.words(
            self.boxes,
            characters: self.characters.map { alphabet.characters[$0.label] },
            spaces: spaces
        )
    }
}

extension LineCharacters {
    /// The signs of degrees with their units, by the unit.
    private static let degrees = ["C": "℃", "F": "℉"]
    /// The least likelihood of such a sign, as the logarithm of a share of its unit's, and the width of its box in heights: by
    /// itself a C is no wider than high.
    private static let degree: (logRatio: Float, width: ClosedRange<Float>) = (-4, 1.15...1.8)

    /// Takes C and F for degrees where these were nearly read and the ink is wide enough for a ring beside the letter.
    mutating func readDegrees(_ alphabet: Alphabet) {
        for index in self.characters.indices {
            guard let sign = Self.degrees[alphabet.characters[self.characters[index].label]],
                let rival = self.characters[index].rivals.first(where: { alphabet.characters[$0.label] == sign }),
                rival.logRatio >= Self.degree.logRatio
            else { continue }
            let box = self.boxes[index]
            guard Self.degree.width.contains((box.x1 - box.x0) / max(1, box.y1 - box.y0)) else { continue }
            self.characters[index].label = rival.label
        }
    }

    /// The width of an underscore in heights of a capital: half an em in proportional faces, a cell in monospaced ones.
    private static let underscoreWidth: Float = 0.78
    /// The share of an underscore that may lie above or below its neighbour.
    private static let mostShared: Float = 0.2
    /// What may be read for underscores in a row.
    private static let dashes: Set = ["_", "-", "–", "—"]

    /// Writes as many underscores as there are where a row of them was recognized as one, or as a dash.
    mutating func repeatUnderscores(_ alphabet: Alphabet) {
        guard let label = alphabet.label(of: "_"), let band = LetterBand(self, alphabet) else { return }
        for index in self.characters.indices.reversed()
        where Self.dashes.contains(alphabet.characters[self.characters[index].label]) {
            let box = self.boxes[index]
            guard box.y0 >= band.baseline - 0.1 * band.height else { continue }
            let others = self.boxes.indices.filter { $0 != index }.map { self.boxes[$0] }
            // The letter next to it may have the end of it in its box.
            let shared = Self.mostShared * (box.x1 - box.x0)
            guard others.allSatisfy({ $0.x1 <= box.x0 + shared || $0.x0 >= box.x1 - shared }) else { continue }
            let count = max(1, Int(((box.x1 - box.x0) / (Self.underscoreWidth * band.height)).rounded()))
            var character = self.characters[index]
            character.label = label
            let width = (box.x1 - box.x0) / Float(count)
            let boxes = (0..<count).map { place in
                BoundingBox(
                    x0: box.x0 + Float(place) * width,
                    y0: box.y0,
                    x1: box.x0 + Float(place + 1) * width,
                    y1: box.y1
                )
            }
            self.characters.replaceSubrange(index...index, with: repeatElement(character, count: count))
            self.boxes.replaceSubrange(index...index, with: boxes)
            self.spaces.insert(contentsOf: repeatElement(-.infinity, count: count - 1), at: index + 1)
        }
    }
}

/// The rows between which a line's capitals and digits stand.
struct LetterBand {
    let top: Float
    let baseline: Float
    var height: Float { self.baseline - self.top }

    /// Letters as high as capitals; those without a stroke below the baseline.
    private static let tall = Set("bdfhklABDEFGHIKLMNPRTUXYZ0123456789")
    private static let standing = Set("abcdefhiklmnorstuvwxzABCDEFGHIKLMNOPRSTUVWXYZ0123456789")
    /// Of the height of a capital, that of an x.
    private static let xHeight: Float = 0.72

    /// The band of a line; `nil` where its letters do not show it.
    init?(_ parts: LineCharacters, _ alphabet: Alphabet) {
        func rows(_ letters: Set<Character>, _ row: (BoundingBox) -> Float) -> Float? {
            let rows = parts.characters.indices.filter { index in
                alphabet.characters[parts.characters[index].label].first.map(letters.contains) ?? false
            }.map { row(parts.boxes[$0]) }.sorted()
            return rows.isEmpty ? nil : rows[rows.count / 2]
        }
        guard let baseline = rows(Self.standing, \.y1) else { return nil }
        let lowTop = rows(Self.standing, \.y0).map { baseline - (baseline - $0) / Self.xHeight }
        guard let top = rows(Self.tall, \.y0) ?? lowTop, baseline - top > 1 else { return nil }
        self.top = top
        self.baseline = baseline
    }
}
