import Testing

@testable import TextRecognition

@Suite struct LanguageTests {
    private static let latin = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }

    private static func alphabet(_ letters: String) -> Alphabet {
        Alphabet(list: (self.latin + letters.map { String($0) }).joined(separator: "\n"))
    }

    @Test(arguments: ["en", "EN", "en-GB", "en_US", "En-Latn-GB"])
    func aCodeIsMatchedByItsFirstSubtag(code: String) {
        #expect(Language(code)?.code == "en")
    }

    @Test(
        arguments: [
            ("é", "e"), ("Ü", "U"), ("Ø", "O"), ("ł", "l"), ("ı", "i"), ("ß", "s"), ("ộ", "o"), ("æ", nil), ("e", nil),
            ("漢", nil),
            ("µ", nil), ("ª", nil),
        ] as [(Unicode.Scalar, String?)]
    )
    func aVariantOfALetterHasABaseLetter(letter: Unicode.Scalar, base: String?) {
        #expect(letter.baseLetter == base)
    }

    @Test func lettersOfOtherLanguagesCountForTheirBaseLetters() throws {
        let alphabet = Self.alphabet("éü漢")
        let mask = ClassMask([try #require(Language("de"))], in: alphabet)
        let bases = mask.bases.map { (alphabet.characters[$0], alphabet.characters[$1]) }
        #expect(bases.map(\.0) == ["é"] && bases.map(\.1) == ["e"])
    }

    @Test(arguments: ["", "-", "xx", "klingon", "english", "e", "zh1", " en"])
    func otherCodesAreUnknown(code: String) {
        #expect(Language(code) == nil)
    }

    @Test(arguments: ["ko", "ko-KR", "ru", "ar"])
    func theNetworksKnowNoLettersOfLanguagesInOtherScripts(code: String) throws {
        let language = try #require(Language(code))
        #expect(language.code == code.prefix(2))
        for letter in "éの한дש" { for scalar in letter.unicodeScalars { #expect(!language.uses(scalar)) } }
        #expect(language.uses("Z") && language.uses("9"))
        #expect(!Language.codes(coveredBy: Self.alphabet("")).contains(language.code))
    }

    @Test(
        arguments: [
            ("en", "Az09.,-€", "äßの漢ñ"), ("de", "äöüÄÖÜßaz", "éçåの漢"), ("zh-Hans", "漢字，。Az", "のカä"),
            ("ja", "漢のカ。Az", "äé"), ("tr", "ışğIİ", "ßéの"), ("cs", "řŘůŮ", "ñß"),
        ]
    )
    func aReadingHoldsTheLettersOfItsLanguage(code: String, used: String, unused: String) throws {
        let language = try #require(Language(code))
        for scalar in used.unicodeScalars { #expect(language.uses(scalar), "\(scalar)") }
        for scalar in unused.unicodeScalars { #expect(!language.uses(scalar), "\(scalar)") }
    }

    @Test func figuresAndSignsBelongToEveryLanguage() {
        for code in ["en", "de", "zh", "ja"] {
            for scalar in "0123456789.,:;!?()+-*/=%&@#$€£°→".unicodeScalars {
                #expect(Language(code)?.uses(scalar) == true, "\(scalar) in \(code)")
            }
        }
    }

    @Test func anAlphabetOffersTheLanguagesThatItCanWrite() {
        #expect(Self.alphabet("").languages == ["en", "id", "la", "ms", "sw", "uz"])
        #expect(Self.alphabet("äöüß").languages.contains("de"))
        #expect(!Self.alphabet("äöü").languages.contains("de"))
        #expect(Self.alphabet("的").languages.contains("zh"))
        #expect(!Self.alphabet("的").languages.contains("ja"))
        #expect(Self.alphabet("日の").languages.contains("ja"))
    }

    @Test func languagesComeInAlphabeticalOrder() {
        let all = Self.alphabet("的のäöüßåæøéñçàèâêîôûùëïÿœ").languages
        #expect(all == all.sorted())
        #expect(Set(all).count == all.count)
        #expect(all.contains("da") && all.contains("fr"))
    }

    @Test func aMaskHoldsTheClassesOfAnyOfTheLanguages() throws {
        let alphabet = Alphabet(list: "a\nä\nの\n漢\n7\nя")
        let (en, de, ja) = (try #require(Language("en")), try #require(Language("de")), try #require(Language("ja")))
        func masked(_ languages: Language...) -> [String] {
            ClassMask(languages, in: alphabet).labels.map { alphabet.characters[$0] }
        }
        #expect(masked(en) == ["a", "7", " "])
        #expect(masked(de) == ["a", "ä", "7", " "])
        #expect(masked(de, ja) == ["a", "ä", "の", "漢", "7", " "])
        #expect(!ClassMask([en], in: alphabet).labels.contains(Alphabet.blank))
    }
}
