package import TextModel

/// Machine-readable zones of passports, visas and identity cards: lines of capitals, digits and `<` with check digits.
///
/// In their typeface, OCR-B, a recognizer takes O for 0 among digits, and the other way round. ICAO Doc 9303 says where
/// letters stand and where digits do. So lines are read as one of its formats says if their check digits are right then.
/// A wrong check digit corrects nothing: a look-alike by which it is right is often not the misread character (accuracy
/// log, *Machine-readable zones*).
package enum MachineReadableZone {
    /// Returns lines, in reading order, with the letters and digits of a zone that its check digits prove.
    ///
    /// Lines stay as they are read where `options` have no language correction or list the characters that stand there.
    package static func corrected(_ lines: [TextLine], options: ReadingOptions) -> [TextLine] {
        // All zones have fillers, and most frames have none.
        guard options.languageCorrection, options.allowedCharacters == nil,
            lines.contains(where: { $0.text.utf8.contains(UInt8(ascii: "<")) })
        else { return lines }
        let texts = lines.map { line in line.words.flatMap { Array($0.text) } }
        var corrected = lines
        for format in ZoneFormat.all {
            for start in texts.indices.dropLast(format.lineCount - 1) {
                let end = start + format.lineCount
                guard texts[start..<end].allSatisfy({ $0.count == format.lineLength }),
                    let proven = format.proven(Array(texts[start..<end].joined()))
                else { continue }
                for line in start..<end {
                    let first = (line - start) * format.lineLength
                    corrected[line] = lines[line].replacing(proven[first..<first + format.lineLength])
                }
                let place = start + format.namesOffset
                guard texts.indices.contains(place), let names = format.names(texts[place]) else { continue }
                corrected[place] = lines[place].replacing(names[...])
            }
        }
        return corrected
    }
}

/// Format of a zone, by ICAO Doc 9303, parts 4 to 7: the places of its lines with check digits, one line after the other.
private struct ZoneFormat {
    /// What stands in a place; `<` may stand in all.
    enum Kind {
        case letter
        case digit
        case either
    }

    /// Passports (TD3) and visas of format A.
    private static let passport = ZoneFormat(lineLength: 44, namesOffset: -1, Self.holder + Self.places(.either, 16))
    /// Cards of format TD2 and visas of format B.
    private static let card = ZoneFormat(lineLength: 36, namesOffset: -1, Self.holder + Self.places(.either, 8))
    /// Cards of format TD1, with the number of the document in one line and the dates in the next.
    private static let smallCard = ZoneFormat(
        lineLength: 30,
        namesOffset: 2,
        checked: [5..<14, 30..<36, 38..<44],
        Self.places(.letter, 5) + Self.number + Self.places(.either, 15)
            + Self.dates + Self.places(.letter, 3) + Self.places(.either, 12)
    )
    static let all = [Self.passport, Self.card, Self.smallCard]

    /// Number of a document with its check digit.
    private static let number = Self.places(.either, 9) + [.digit]
    /// Date of birth with its check digit, sex, and date of expiry with its check digit.
    private static let dates = Self.places(.digit, 7) + [.letter] + Self.places(.digit, 7)
    /// Number, nationality and dates: one line.
    private static let holder = Self.number + Self.places(.letter, 3) + Self.dates

    /// What stands between surname and given names, or behind the surname.
    private static let separator = "<<"
    /// First letters of the codes of documents: passports, visas, and cards.
    private static let codes: Set<Character> = ["P", "V", "I", "A", "C"]

    private static func places(_ kind: Kind, _ count: Int) -> [Kind] { [Kind](repeating: kind, count: count) }

    /// Characters of a line.
    let lineLength: Int
    /// The line of names, counted from the first line with check digits.
    let namesOffset: Int
    /// Places of the number and the dates, each of which is followed by its check digit.
    private let checked: [Range<Int>]
    private let kinds: [Kind]

    private init(lineLength: Int, namesOffset: Int, checked: [Range<Int>] = [0..<9, 13..<19, 21..<27], _ kinds: [Kind])
    {
        self.lineLength = lineLength
        self.namesOffset = namesOffset
        self.checked = checked
        self.kinds = kinds
    }

    /// Number of lines with check digits.
    var lineCount: Int { self.kinds.count / self.lineLength }
    /// Whether the line of names is the first one of the zone, which begins with the code of the document.
    private var namesHaveCode: Bool { self.namesOffset < 0 }

    /// Returns the characters of a zone whose check digits are right; `nil` if there are none.
    func proven(_ read: [Character]) -> [Character]? {
        guard let zone = Self.characters(of: read, as: self.kinds),
            self.checked.allSatisfy({ Self.isProven($0, of: zone) })
        else { return nil }
        return zone
    }

    /// Returns the characters of a line of names; `nil` for another line.
    func names(_ read: [Character]) -> [Character]? {
        guard read.count == self.lineLength,
            let names = Self.characters(of: read, as: Self.places(.letter, self.lineLength)),
            String(names).contains(Self.separator), !self.namesHaveCode || Self.codes.contains(names[0])
        else { return nil }
        return names
    }

    /// Whether the check digit behind a field is right: its values with the weights 7, 3, 1, modulo 10.
    private static func isProven(_ field: Range<Int>, of zone: [Character]) -> Bool {
        let sum = zip(field, 0...).reduce(0) { $0 + self.value(of: zone[$1.0]) * [7, 3, 1][$1.1 % 3] }
        return zone[field.upperBound].wholeNumberValue == sum % 10
    }

    /// Value of a character: that of a digit, 10 to 35 for letters, and 0 for `<`.
    private static func value(of character: Character) -> Int { Int(String(character), radix: 36) ?? 0 }
}

extension ZoneFormat {
    /// Letters for digits that look like them in OCR-B, and the reverse.
    fileprivate static let letters: [Character: Character] = [
        "0": "O", "1": "I", "2": "Z", "5": "S", "6": "G", "8": "B",
    ]
    fileprivate static let digits: [Character: Character] = [
        "O": "0", "Q": "0", "I": "1", "Z": "2", "S": "5", "G": "6", "B": "8",
    ]
    /// Characters that no zone has, and those for which they were read in drawn zones.
    private static let variants: [Character: Character] = [
        "〇": "O", "ο": "O", "Ρ": "P", "∪": "U", "Λ": "<", "く": "<",
    ]

    /// Returns what was read as the kinds say; `nil` if one of the characters cannot stand there.
    fileprivate static func characters(of read: [Character], as kinds: [Kind]) -> [Character]? {
        let characters = zip(read, kinds).map { Self.character($0, as: $1) }
        let fit = zip(characters, kinds).allSatisfy { character, kind in
            character == "<"
                || character.isASCII
                    && (kind != .digit && character.isUppercase || kind != .letter && character.isWholeNumber)
        }
        return fit ? characters : nil
    }

    private static func character(_ read: Character, as kind: Kind) -> Character {
        let character = Self.variants[read] ?? Self.capital(read)
        switch kind {
        case .letter: return Self.letters[character] ?? character
        case .digit: return Self.digits[character] ?? character
        case .either: return character
        }
    }

    /// The capital of a letter of ASCII; others, such as ß, have none that stands in a zone.
    private static func capital(_ read: Character) -> Character {
        read.isASCII ? read.uppercased().first ?? read : read
    }
}

extension TextLine {
    /// Returns the line with as many other characters in the place of its own.
    fileprivate func replacing(_ characters: ArraySlice<Character>) -> TextLine {
        var (line, rest) = (self, characters)
        for word in line.words.indices {
            let text = rest.prefix(line.words[word].text.count)
            rest = rest.dropFirst(text.count)
            line.words[word].text = String(text)
            for (place, character) in zip(line.words[word].characters.indices, text) {
                line.words[word].characters[place].text = String(character)
            }
        }
        line.takeTextOfWords()
        return line
    }
}
