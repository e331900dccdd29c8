import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct ConfusableResolverTests {
    /// Every letter and digit, one class each.
    private static let alphabet = Alphabet(
        list: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ|.,:-[]_/".map(String.init)
            .joined(separator: "\n")
    )

    /// Resolves a word whose characters have alternatives, each with its log-ratio.
    private static func resolved(
        _ word: String,
        _ alternatives: [Int: [(Character, Float)]],
        heights: [Int: Float] = [:],
        centreForeground: [Int: Float] = [:]
    ) -> String {
        var characters = word.enumerated().map { index, text in
            CTCCharacter(
                label: Self.alphabet.label(of: String(text)) ?? 0,
                confidence: 0.9,
                centre: Float(index),
                alternatives: (alternatives[index] ?? []).map {
                    CTCCharacter.Alternative(label: Self.alphabet.label(of: String($0.0)) ?? 0, logRatio: $0.1)
                }
            )
        }
        let shapes = word.enumerated().map { index, text in
            let height: Float = "aceimnorsuvwxz".contains(text) ? 22 : 30
            return ConfusableResolver.Shape(
                height: heights[index] ?? height,
                centreForeground: centreForeground[index] ?? 0
            )
        }
        let words = word.split(separator: " ", omittingEmptySubsequences: false).reduce(into: [Range<Int>]()) {
            let start = ($0.last?.upperBound ?? -1) + 1
            $0.append(start..<start + $1.count)
        }
        ConfusableResolver(characters, alphabet: Self.alphabet, shapes: shapes).resolve(&characters, words: words)
        return characters.enumerated().map { index, character in
            let place = word.index(word.startIndex, offsetBy: index)
            return word[place] == " " ? " " : Self.alphabet.characters[character.label]
        }.joined()
    }

    @Test func aDigitInsideAWordIsALetter() {
        #expect(Self.resolved("R00T", [1: [("O", -1)], 2: [("O", -1)]]) == "ROOT")
        #expect(Self.resolved("ERR0R", [3: [("O", -3)]]) == "ERROR")
        #expect(Self.resolved("wil1iam", [3: [("l", -1)]]) == "william")
        #expect(Self.resolved("1inzen", [0: [("l", -2)]]) == "linzen")
    }

    @Test func aLetterInANumberIsADigit() {
        #expect(Self.resolved("92OO", [2: [("0", -1)], 3: [("0", -1)]]) == "9200")
        #expect(Self.resolved("1O:45", [1: [("0", -2)]]) == "10:45")
    }

    @Test func whatThePixelsShowForCertainStays() {
        #expect(Self.resolved("R0OT", [1: [("O", -9)]]) == "R0OT")
        #expect(Self.resolved("1234", [2: [("B", -12)]]) == "1234")
        #expect(Self.resolved("word", [:]) == "word")
    }

    @Test func codesAreLeftToThePixels() {
        #expect(Self.resolved("X7O2K9", [2: [("0", -2)]]) == "X7O2K9")
        #expect(Self.resolved("X702K9", [2: [("O", -2)]]) == "X702K9")
        #expect(Self.resolved("7f0e19", [2: [("o", -3)]]) == "7f0e19")
        #expect(Self.resolved("5mm", [0: [("S", -4)]]) == "5mm")
        #expect(Self.resolved("TTY0", [3: [("O", -6)]]) == "TTY0")
    }

    @Test func theHeightDistinguishesASmallLetterFromADigitOrACapital() {
        #expect(Self.resolved("hell0", [4: [("o", -3)]], heights: [4: 22]) == "hello")
        #expect(Self.resolved("POs", [1: [("o", -1.5)], 2: [("S", -0.5)]], heights: [1: 22, 2: 22]) == "Pos")
    }

    @Test func aZeroWithoutTheMarkOfTheOthersIsALetter() {
        let zeros: [Int: [(Character, Float)]] = [1: [("O", -12)], 2: [("O", -12)], 6: [("O", -6)]]
        #expect(Self.resolved("100 TY0", zeros, centreForeground: [1: 0.8, 2: 0.8, 6: 0.8]) == "100 TY0")
        #expect(
            Self.resolved(
                "100 TO0",
                [1: [("O", -12)], 2: [("O", -12)], 6: [("O", -5)]],
                centreForeground: [1: 0.8, 2: 0.8, 6: 0]
            ) == "100 TOO"
        )
    }

    @Test func aCorrectionHasLessConfidence() {
        var characters = "R00T".map {
            CTCCharacter(label: Self.alphabet.label(of: String($0)) ?? 0, confidence: 0.9, centre: 0)
        }
        let label = Self.alphabet.label(of: "O") ?? 0
        for index in [1, 2] { characters[index].alternatives = [CTCCharacter.Alternative(label: label, logRatio: -1)] }
        let shapes = characters.map { _ in ConfusableResolver.Shape(height: 30, centreForeground: 0) }
        ConfusableResolver(characters, alphabet: Self.alphabet, shapes: shapes).resolve(&characters, words: [0..<4])
        #expect(characters[1].label == label && characters[1].confidence < 0.9 && characters[1].confidence > 0.4)
        #expect(characters[0].confidence == 0.9)
    }

    @Test func anyAlternativesAndWordsAreTaken() {
        var random = SplitMix64(91)
        for _ in 0..<200 {
            let count = Int.random(in: 0...24, using: &random)
            var characters = (0..<count).map { _ in
                CTCCharacter(
                    label: .random(in: 1..<Self.alphabet.count, using: &random),
                    confidence: 0.5,
                    centre: 0,
                    alternatives: (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        CTCCharacter.Alternative(
                            label: .random(in: 1..<Self.alphabet.count, using: &random),
                            logRatio: [-1, -20, .nan, -.infinity, 0].randomElement(using: &random) ?? 0
                        )
                    }
                )
            }
            let shapes = characters.map { _ in
                ConfusableResolver.Shape(height: .random(in: 0...48, using: &random), centreForeground: 0.4)
            }
            ConfusableResolver(characters, alphabet: Self.alphabet, shapes: shapes)
                .resolve(&characters, words: [0..<count / 2, count / 2..<count])
            #expect(characters.count == count)
        }
    }
}

@Suite struct TokenModelTests {
    private static func likelier(_ a: String, than b: String) -> Bool {
        TokenModel.logLikelihood(of: Array(a)) > TokenModel.logLikelihood(of: Array(b))
    }

    @Test func wordsNumbersAndCodesAreLikelierThanWhatLooksLikeThem() {
        #expect(Self.likelier("ROOT", than: "R00T"))
        #expect(Self.likelier("INFO", than: "INF0"))
        #expect(Self.likelier("1500", than: "l500"))
        #expect(Self.likelier("10kg", than: "lOkg"))
        #expect(Self.likelier("0x7ffe", than: "Ox7ffe"))
        #expect(Self.likelier("I", than: "1") && Self.likelier("I", than: "l"))
        #expect(Self.likelier("linzen", than: "1inzen"))
    }

    @Test func nothingIsImpossible() {
        for run in ["", "a", "1", "Zq9x0", "ééé", "0x", "a1b2c3d4e5"] {
            #expect(TokenModel.logLikelihood(of: Array(run)) > -.infinity)
        }
    }
}
