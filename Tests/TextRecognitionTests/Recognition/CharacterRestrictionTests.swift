import Testing
import TextModel

@testable import TextRecognition

@Suite struct CharacterRestrictionTests {
    private static let alphabet = Alphabet(list: "0\n1\nO\nH\nq\n9\nÖ")

    /// Text that a restricted decoder reads from time steps, each with the logits of some characters; "" is the blank.
    private static func read(_ steps: [[String: Float]], _ list: String) throws -> String {
        let restriction = CharacterRestriction(try #require(AllowedCharacters(list)), mask: nil, of: Self.alphabet)
        let values = steps.flatMap { step in
            Self.alphabet.characters.map { BFloat16(bitPattern: UInt16((step[$0] ?? -30).bitPattern >> 16)) }
        }
        return values.withUnsafeBufferPointer { values -> String in
            guard let values = values.baseAddress else { return "" }
            let logits = Logits(values, stepCount: steps.count, classCount: Self.alphabet.count)
            return restriction.values(of: logits).withUnsafeBufferPointer { values -> String in
                guard let values = values.baseAddress else { return "" }
                let restricted = Logits(values, stepCount: steps.count, classCount: restriction.alphabet.count)
                let path = CTCDecoder.bestPath(restricted, restriction.alphabet, allowed: nil)
                return restriction.accepted(path).map { restriction.alphabet.characters[$0.label] }.joined()
            }
        }
    }

    private static func steps(_ text: String) -> [[String: Float]] {
        text.flatMap { [[String($0): 8, "": 0], ["": 8]] }
    }

    @Test func whatLooksLikeAnAllowedCharacterIsIt() throws {
        #expect(try Self.read(Self.steps("1O9"), "0-9") == "109")
        #expect(try Self.read(Self.steps("0OH"), "A-Z") == "OOH")
        #expect(try Self.read(Self.steps("HÖH"), "A-Z") == "HOH")
    }

    @Test func wordsOfOtherCharactersAreLeftOut() throws {
        #expect(try Self.read(Self.steps("HHO 19"), "0-9") == "19")
        #expect(try Self.read(Self.steps("19 HHO"), "0-9").split(separator: " ") == ["19"])
        #expect(try Self.read(Self.steps("119H"), "0-9") == "119")
        #expect(try Self.read(Self.steps("HH"), "0-9") == "")
    }

    @Test func aPossibleCharacterIsReadInThePlaceOfAnother() throws {
        #expect(try Self.read([["H": 8, "1": 5, "": 7]], "0-9") == "1")
        #expect(try Self.read([["H": 8, "1": 3, "": 7]], "0-9") == "")
    }

    @Test func allIsReadWithinTheLanguagesAlone() throws {
        let allowed = try #require(AllowedCharacters("0-9HO"))
        let mask = ClassMask(labels: [1, 2, 3])
        let restriction = CharacterRestriction(allowed, mask: mask, of: Self.alphabet)
        #expect(restriction.alphabet.characters.dropLast() == ["", "0", "1", "O", " "])
    }
}
