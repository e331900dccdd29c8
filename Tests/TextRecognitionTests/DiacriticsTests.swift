import TextModel
import Testing

@testable import TextRecognition

/// Words of the networks with letters that the reader of their language reads.
@Suite struct DiacriticsTests {
    /// What a reader reads in the place of a word.
    struct Letters: Sendable {
        let text: String
        var confidence: Float = 0.9
        var isInDictionary = false
    }

    /// Word of the networks, with characters of ten columns, as wide as pixels.
    private static func word(_ text: String) -> TextWord {
        let characters = text.enumerated().map { index, letter in
            TextCharacter(
                text: String(letter),
                confidence: 0.8,
                box: Quad(x: 10 * Float(index), y: 5, width: 10, height: 20)
            )
        }
        let box = Quad(x: 0, y: 5, width: 10 * Float(text.count), height: 20)
        return TextWord(text: text, confidence: 0.8, box: box, characters: characters)
    }

    /// Letters that are a part of a reader's word.
    private static func part(_ text: String) -> WordLetters {
        var letters = WordLetters()
        letters.add(text.map { ScriptReading.Character(text: String($0), confidence: 0.95, columns: 0..<1) })
        return letters
    }

    private static func read(
        _ text: String,
        as letters: Letters,
        under policy: DiacriticsPolicy = DiacriticsPolicy()
    ) -> TextWord {
        var word = Self.word(text)
        let width = 10 * Float(text.count)
        let step = width / Float(max(1, letters.text.count))
        var read = ScriptReading.Word(
            characters: letters.text.enumerated().map { index, letter in
                ScriptReading.Character(
                    text: String(letter),
                    confidence: letters.confidence,
                    columns: step * Float(index)..<step * Float(index + 1)
                )
            },
            confidence: letters.confidence
        )
        read.isInDictionary = letters.isInDictionary
        var all = WordLetters()
        all.add(read.characters, of: read)
        word.takeDiacritics(of: all, columns: (0, width), under: policy)
        return word
    }

    @Test(
        arguments: [
            ("stiinta", Letters(text: "știința"), "știința"), ("ISIM", Letters(text: "İSİM"), "İSİM"),
            // A caron is read as an apostrophe, within a word and behind it.
            ("lod'", Letters(text: "loď"), "loď"), ("l'udia", Letters(text: "ľudia"), "ľudia"),
            ("John's", Letters(text: "Johns"), "John's"), ("kun'", Letters(text: "kůň'"), "kůň'"),
            ("Besiktas'ta", Letters(text: "Beşiktaşta"), "Besiktas'ta"), ("ABCD", Letters(text: "AB—CD"), "ABCD"),
            // What is formed of no letter of a to z is read as any, and what the networks do not know may be omitted.
            ("bu", Letters(text: "þú"), "þú"), ("Vt", Letters(text: "Vệt"), "Vệt"),
            // Signs around the letters and the case of those that are the same are left to the networks.
            ("(loď),", Letters(text: "'loď."), "(loď),"), ("DOM", Letters(text: "dom"), "DOM"),
            // Letters that differ are as large as those in whose place they stand, unless that takes two of them.
            ("DUM", Letters(text: "dům"), "DŮM"), ("dUm", Letters(text: "DŮM"), "dŮm"),
            ("VT", Letters(text: "vệt"), "VỆT"),
            ("V", Letters(text: "Vệ"), "Vệ"),
            ("inuvik", Letters(text: "İnuvik"), "İnuvik"),
            ("İZMİR", Letters(text: "izmir"), "İZMİR"), ("Izgara", Letters(text: "ızgara"), "Izgara"),
            // Other letters need a dictionary, and a confident reading.
            ("house", Letters(text: "horse"), "house"),
            ("house", Letters(text: "horse", isInDictionary: true), "horse"),
            ("house", Letters(text: "horse", confidence: 0.8, isInDictionary: true), "house"),
            ("house", Letters(text: "mouth", isInDictionary: true), "house"),
            ("trurot", Letters(text: "trượt", isInDictionary: true), "trượt"),
            ("lod", Letters(text: "loď", confidence: 0.5), "lod"),
            ("lod", Letters(text: "loď", confidence: 0.5, isInDictionary: true), "loď"),
            ("a", Letters(text: "ằẵặ"), "a"), ("42", Letters(text: "ář"), "42"), ("dom", Letters(text: "-"), "dom"),
        ]
    )
    func wordsHaveTheDiacriticsOfTheReader(text: String, letters: Letters, expected: String) {
        let word = Self.read(text, as: letters)
        #expect(word.text == expected)
        #expect(word.characters.map(\.text).joined() == expected)
        #expect(word.confidence == 0.8)
    }

    @Test(
        arguments: [
            ("cs", "für", "fur", "für"), ("cs", "für", "fúr", "für"), ("cs", "über", "ber", "über"),
            ("cs", "FÜR", "fůř", "FÜR"),
            ("cs", "fúr", "fůr", "fůr"), ("cs", "fur", "fúr", "fúr"), ("hu", "für", "fűr", "fűr"),
            (nil, "für", "fúr", "fúr"),
        ] as [(String?, String, String, String)]
    )
    func marksThatTheReadersLanguageLacksStayInALineOfAnother(
        language: String?,
        text: String,
        letters: String,
        expected: String
    ) {
        let policy = DiacriticsPolicy(uncertainLanguage: language.flatMap { Language($0) })
        #expect(Self.read(text, as: Letters(text: letters), under: policy).text == expected)
        // A word of the dictionary may have other letters, but none for one that stays.
        let known = Self.read(text, as: Letters(text: letters, isInDictionary: true), under: policy)
        #expect(known.text == expected)
    }

    @Test func withoutCorrectionLettersDifferInDiacriticsAlone() {
        let policy = DiacriticsPolicy(replacesLetters: false)
        #expect(Self.read("house", as: Letters(text: "horse", isInDictionary: true), under: policy).text == "house")
        #expect(Self.read("stiinta", as: Letters(text: "știința"), under: policy).text == "știința")
    }

    @Test func aWordOfWhichTheNetworksAreSureCanLackLetters() {
        let policy = DiacriticsPolicy(isSure: true)
        #expect(Self.read("lod", as: Letters(text: "loď"), under: policy).text == "lod")
        #expect(Self.read("Vt", as: Letters(text: "Vệt"), under: policy).text == "Vệt")
    }

    @Test(
        arguments: [
            ("dum", [], true), ("dum", ["dum"], false), ("(dum),", ["dum"], false), ("(dum),", ["(dum),"], false),
            ("(.NET)", [".NET"], false), ("Co", ["Co."], false), ("domu", ["dum"], true), ("-", ["dum"], true),
            ("-", ["&"], true), ("P<CZENOVAK<<JAN", [], false),
        ] as [(String, Set<String>, Bool)]
    )
    func wordsOfTheClientAndOfMachineReadableZonesStay(text: String, custom: Set<String>, takes: Bool) {
        let custom = Set(custom.map(\.trimmingPunctuation))
        #expect(DiacriticsReader.mayTakeDiacritics(Self.word(text), custom: custom) == takes)
    }

    @Test func anApostropheThatIsACaronBelongsToItsLetter() {
        let boxes = Self.read("lod'", as: Letters(text: "loď")).characters.map(\.box)
        #expect(boxes.map(\.topLeft.x) == [0, 10, 20])
        #expect(boxes.map(\.topRight.x) == [10, 20, 40])
    }

    @Test func charactersThatTheNetworksOmittedLieInTheColumnsOfTheReader() {
        let boxes = Self.read("Vt", as: Letters(text: "Vệt")).characters.map(\.box)
        let edges = [0, 20 / 3, 40 / 3, 20] as [Float]
        for (index, box) in boxes.enumerated() {
            #expect(abs(box.topLeft.x - edges[index]) < 0.01)
            #expect(abs(box.bottomRight.x - edges[index + 1]) < 0.01)
            #expect((box.topLeft.y, box.bottomRight.y) == (5, 25))
        }
    }

    @Test func aWordWithoutWidthKeepsACharacterForEachLetter() {
        var word = Self.word("Vt")
        let letters = Self.part("Vệt")
        word.takeDiacritics(of: letters, columns: (10, 10))
        #expect(word.characters.map(\.text) == ["V", "ệ", "t"])
    }

    @Test func aPartOfAWordProvesNothing() {
        var word = Self.word("house")
        let letters = Self.part("horse")
        word.takeDiacritics(of: letters, columns: (0, 50))
        #expect(word.text == "house")
    }

    @Test func withoutCharactersTheTextAloneChanges() {
        var word = Self.word("Vt")
        word.characters = []
        let letters = Self.part("Vệt")
        word.takeDiacritics(of: letters, columns: (0, 20))
        #expect(word.text == "Vệt")
        #expect(word.characters.isEmpty)
    }
}
