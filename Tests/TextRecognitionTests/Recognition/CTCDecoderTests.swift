import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct CTCDecoderTests {
    /// Time steps that emit one class each with a probability; the rest is spread over the others.
    private static func steps(_ emitted: [(label: Int, probability: Float)], classCount: Int) -> [Float] {
        emitted.flatMap { label, probability in
            var row = [Float](repeating: (1 - probability) / Float(classCount - 1), count: classCount)
            row[label] = probability
            return row
        }
    }

    private static func decode(_ values: [Float], classCount: Int, allowed: ClassMask? = nil) -> [CTCCharacter] {
        Logits.with(values, classCount: classCount) {
            CTCDecoder.bestPath($0, .counting(classCount), allowed: allowed)
        }
    }

    @Test func repeatsAreMergedUnlessABlankStandsBetween() {
        let path = [0, 1, 1, 0, 1, 2, 2, 2, 1, 0, 0].map { (label: $0, probability: Float(0.9)) }
        #expect(Self.decode(Self.steps(path, classCount: 4), classCount: 4).map(\.label) == [1, 1, 2, 1])
    }

    @Test func blanksAloneSayNothing() {
        let path = [(label: Int, probability: Float)](repeating: (0, 0.99), count: 12)
        #expect(Self.decode(Self.steps(path, classCount: 5), classCount: 5).isEmpty)
        #expect(Self.decode([], classCount: 5).isEmpty)
    }

    @Test func aCharacterIsAsSureAsItsSurestStepAndLiesInTheMiddleOfAll() {
        let path = [(0, 0.9), (3, 0.6), (3, 0.8), (3, 0.6), (0, 0.9)] as [(label: Int, probability: Float)]
        let characters = Self.decode(Self.steps(path, classCount: 6), classCount: 6)
        #expect(characters.count == 1)
        #expect(abs((characters.first?.confidence ?? 0) - 0.8) < 0.003)
        #expect(abs((characters.first?.centre ?? 0) - 2.5) < 0.003)
    }

    /// Decodes rows of probabilities of the blank, A, Ä, Ã and B, in which the last class may be missing.
    private static func decodeAccents(_ rows: [[Float]]) -> [CTCCharacter] {
        Logits.with(rows.flatMap { $0 }, classCount: rows[0].count) {
            CTCDecoder.bestPath($0, Alphabet(characters: ["A", "Ä", "Ã", "B"]), allowed: nil)
        }
    }

    @Test func aLoneLetterIsAsSureAsItIsWithAnyAccent() {
        let lone = Self.decodeAccents([[0.9, 0.025, 0.025, 0.025, 0.025], [0.01, 0.12, 0.5, 0.35, 0.02]])
        #expect(lone.map(\.label) == [2])
        #expect(abs((lone.first?.letterConfidence ?? 0) - 0.97) < 0.02)
        #expect(abs((lone.first?.jointConfidence ?? 0) - 0.5) < 0.02)
    }

    @Test func accentsThatANetworkDoesNotHaveDoNotCount() {
        let lone = Self.decodeAccents([[0.1, 0.3, 0.6]])
        #expect(lone.map(\.label) == [2])
        #expect(abs((lone.first?.letterConfidence ?? 0) - 0.9) < 0.02)
    }

    @Test func confusablesThatANetworkDoesNotHaveDoNotCount() {
        let steps = Self.steps([(1, 0.9), (0, 0.9)], classCount: 3)
        let characters = Logits.with(steps, classCount: 3) {
            CTCDecoder.bestPath($0, Alphabet(characters: ["0", "x", "O"]), allowed: nil)
        }
        #expect(characters.map(\.label) == [1])
        #expect(characters.first?.alternatives.isEmpty == true)
    }

    @Test func accentsDoNotCountBesideAnotherCharacter() {
        let word = Self.decodeAccents([[0.01, 0.12, 0.5, 0.35, 0.02], [0.02, 0.02, 0.02, 0.02, 0.92]])
        #expect(word.map(\.label) == [2, 4])
        #expect(word.allSatisfy { $0.variantRatio == 0 })
    }

    @Test func theMiddleIsDrawnTowardsTheSurerStep() {
        let path = [(2, 0.9), (2, 0.6)] as [(label: Int, probability: Float)]
        let centre = Self.decode(Self.steps(path, classCount: 3), classCount: 3).first?.centre ?? 0
        #expect(abs(centre - (0.5 * 0.9 + 1.5 * 0.6) / 1.5) < 0.003)
    }

    @Test func aCharacterReportsTheMissedSpaceBeforeIt() {
        let rows: [[Float]] = [
            [0, 0.9, 0, 0], [0.6, 0, 0, 0.2], [0.6, 0, 0, 0.3], [0.7, 0, 0, 0.1], [0.1, 0, 0.9, 0], [0.1, 0.8, 0, 0.4],
        ]
        let characters = Self.decode(rows.flatMap { $0 }, classCount: 4)
        #expect(characters.map(\.label) == [1, 2, 1])
        #expect(characters[0].missedSpace == -.infinity)
        #expect(abs(characters[1].missedSpace + 0.693) < 0.02)
        #expect(characters[2].missedSpace == -.infinity)
    }

    /// Whether each character is beside a near miss, from half of the blank's probability.
    private static func besideNearMiss(_ rows: [[Float]]) -> [Bool] {
        Logits.with(rows.flatMap { $0 }, classCount: 5) {
            CTCDecoder.bestPath($0, Alphabet(list: "\u{3000}\n1\n2"), allowed: nil, nearMiss: -0.7)
                .map(\.isBesideNearMiss)
        }
    }

    private static func row(_ label: Int) -> [Float] { (0..<5).map { $0 == label ? 0.96 : 0.01 } }
    private static func nearRow(_ label: Int) -> [Float] { (0..<5).map { $0 == 0 ? 0.6 : $0 == label ? 0.32 : 0 } }

    private static let (blank, wideSpace, one, two, space) = (row(0), row(1), row(2), row(3), row(4))
    private static let (nearWideSpace, nearOne, nearTwo, nearSpace) = (nearRow(1), nearRow(2), nearRow(3), nearRow(4))

    @Test func aCharacterReportsANearMissBeforeIt() {
        #expect(
            Self.besideNearMiss([Self.one, Self.nearTwo, Self.one, Self.blank, Self.one]) == [false, true, false]
        )
        #expect(Self.besideNearMiss([Self.nearTwo, Self.one]) == [true])
        #expect(Self.besideNearMiss([Self.space, Self.nearTwo, Self.one]) == [false, true])
    }

    @Test func aWordsLastCharacterReportsANearMissBehindIt() {
        #expect(Self.besideNearMiss([Self.two, Self.blank, Self.one, Self.nearTwo, Self.blank]) == [false, true])
        #expect(Self.besideNearMiss([Self.one, Self.nearTwo, Self.space, Self.one]) == [true, false, false])
    }

    @Test func aNearMissBesideASpaceIsReportedByALetter() {
        for space in [Self.space, Self.wideSpace] {
            #expect(
                Self.besideNearMiss([Self.one, space, Self.nearTwo, space, Self.one]) == [false, false, false, true]
            )
            #expect(Self.besideNearMiss([Self.nearTwo, space, Self.one]) == [false, true])
            #expect(Self.besideNearMiss([Self.one, space, Self.nearTwo]) == [true, false])
            #expect(Self.besideNearMiss([Self.nearOne, space, Self.one]) == [false, true])
        }
    }

    @Test func theBeginAndEndOfACharacterAndSpacesAreNoNearMisses() {
        let steps = [Self.nearOne, Self.one, Self.nearOne, Self.nearTwo, Self.two, Self.nearTwo]
        #expect(Self.besideNearMiss(steps) == [false, false])
        #expect(Self.besideNearMiss([Self.one, Self.nearSpace, Self.two, Self.nearSpace]) == [false, false])
        #expect(Self.besideNearMiss([Self.one, Self.nearWideSpace, Self.two]) == [false, false])
        #expect(Self.besideNearMiss([Self.one, Self.nearOne, Self.one]) == [false, false])
    }

    @Test func aLetterEmittedTwiceAndDecodedOnceIsANearMiss() {
        #expect(Self.besideNearMiss([Self.one, Self.blank, Self.nearOne, Self.blank, Self.two]) == [false, true])
        #expect(Self.besideNearMiss([Self.nearOne, Self.blank, Self.one, Self.two]) == [true, false])
        #expect(Self.besideNearMiss([Self.one, Self.nearOne, Self.blank, Self.nearOne]) == [true])
    }

    @Test func withoutABoundNoNearMissIsReported() {
        let steps = Self.one + Self.nearTwo + Self.one
        #expect(Self.decode(steps, classCount: 5).map(\.isBesideNearMiss) == [false, false])
    }

    @Test func classesThatTheNetworkLacksAreNotRead() {
        let path = [0, 1, 0, 2, 0].map { (label: $0, probability: Float(0.9)) }
        for (labels, read) in [([1, 2, 7], [1, 2]), ([2, 3, 4], [2]), ([4, 7], [])] {
            let allowed = ClassMask(labels: labels)
            #expect(Self.decode(Self.steps(path, classCount: 4), classCount: 4, allowed: allowed).map(\.label) == read)
        }
    }

    @Test func aCharacterMayBeLessSureThanOneHalf() {
        #expect(Self.decode([0.3, 0.1, 0.4, 0.2], classCount: 4).map(\.label) == [2])
        #expect(Self.decode([0.4, 0.1, 0.3, 0.2], classCount: 4).isEmpty)
    }

    @Test(arguments: [2, 3, 15, 16, 17, 31, 32, 33, 6906])
    func theLargestOfManyClassesIsFoundWhereverItStands(classCount: Int) {
        for label in Set([1, 2, 14, 15, 16, 17, classCount / 2, classCount - 2, classCount - 1]) {
            guard (1..<classCount).contains(label) else { continue }
            var row = [Float](repeating: 0.4 / Float(classCount), count: classCount)
            row[label] = 0.6
            #expect(Self.decode(row, classCount: classCount).map(\.label) == [label])
        }
    }

    @Test func onlyAllowedClassesAreRead() {
        let row: [Float] = [0.1, 0.5, 0.3, 0.1]
        #expect(Self.decode(row, classCount: 4).map(\.label) == [1])
        #expect(Self.decode(row, classCount: 4, allowed: ClassMask(labels: [2, 3])).map(\.label) == [2])
        // The blank is always allowed, and here likelier than the rest.
        #expect(Self.decode([0.2, 0.7, 0.1, 0], classCount: 4, allowed: ClassMask(labels: [2, 3])).isEmpty)
        #expect(Self.decode(row, classCount: 4, allowed: ClassMask(labels: [])).isEmpty)
    }

    @Test func allClassesAllowedIsTheSameAsNoMask() {
        var random = SplitMix64(26)
        let values = (0..<40 * 9).map { _ in Float.random(in: 0...1, using: &random) }
        let free = Self.decode(values, classCount: 9)
        let masked = Self.decode(values, classCount: 9, allowed: ClassMask(labels: Array(1..<9)))
        #expect(free.map(\.label) == masked.map(\.label))
        #expect(free.map(\.centre) == masked.map(\.centre))
    }

    @Test func numbersThatAreNoneTrapNothing() {
        for value in [Float.nan, .infinity, -.infinity, 0] {
            let values = [Float](repeating: value, count: 5 * 40)
            #expect(Self.decode(values, classCount: 40).count <= 5)
        }
    }

    @Test func aLetterThatIsReadAsAnotherStaysALetterBesideIt() {
        let path = [0, 1, 2, 2, 3, 0].map { (label: $0, probability: Float(0.9)) }
        let mask = ClassMask(labels: [1, 3], bases: [2: 3])
        let characters = mask.folded(Self.decode(Self.steps(path, classCount: 5), classCount: 5, allowed: mask))
        #expect(characters.map(\.label) == [1, 3, 3])
        #expect(characters.allSatisfy { $0.confidence > 0.85 })
    }

    @Test func probabilitiesOfALetterCountForTheOneAsWhichItIsRead() {
        var probabilities: [Float] = [0.25, 0.25, 0.5, 0, 0.5, 0, 0.25, 0.25]
        ClassMask(labels: [1], bases: [2: 1, 9: 1]).fold(&probabilities, classCount: 4)
        #expect(probabilities == [0.25, 0.75, 0, 0, 0.5, 0.25, 0, 0.25])
    }
}
