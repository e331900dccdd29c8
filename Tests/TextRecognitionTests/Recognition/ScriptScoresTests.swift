import TextModel
import Testing

@testable import TextRecognition

@Suite struct ScriptScoresTests {
    /// Scores of steps in which each named class has a number, and the others 0.
    private static func scores(_ steps: [[Int: Float]]) -> [BFloat16] {
        steps.flatMap { step in
            ScriptScores.classes.indices.map { BFloat16(bitPattern: UInt16((step[$0] ?? 0).bitPattern >> 16)) }
        }
    }

    private static func read(_ steps: [[Int: Float]], count: Int? = nil) -> ScriptScores? {
        Self.scores(steps).withUnsafeBufferPointer { ScriptScores($0, steps: 0..<(count ?? steps.count)) }
    }

    private static func place(_ script: Script?) throws -> Int {
        try #require(ScriptScores.classes.firstIndex(of: .script(script)))
    }

    @Test func theMeansOfTheStepsDecide() throws {
        let (hangul, thai) = (try Self.place(.hangul), try Self.place(.thai))
        let scores = try #require(Self.read([[hangul: 10, thai: 2], [hangul: 6, thai: 2]]))
        #expect(scores.script == .hangul)
        let odds = (exp8 + exp2 + Float(ScriptScores.unavailableCount - 2)) / Float(ScriptScores.readable.count + 1)
        #expect(abs(scores.unavailableProbability - odds / (1 + odds)) < 1e-3)
    }

    @Test func stepsBehindTheLineDoNotCount() throws {
        let cyrillic = try Self.place(.cyrillic)
        let scores = try #require(Self.read([[cyrillic: 8], [0: 64], [0: 64]], count: 1))
        #expect(scores.script == .cyrillic)
        #expect(scores.unavailableProbability > 0.99)
    }

    @Test func whatTheModelsReadIsAvailable() throws {
        let scores = try #require(Self.read([[0: 8]]))
        #expect(scores.unavailableProbability < 0.01)
    }

    @Test func whatOtherLinesHaveIsMoreProbable() throws {
        let (cyrillic, thai) = (try Self.place(.cyrillic), try Self.place(.thai))
        let scores = try #require(Self.read([[0: 4, cyrillic: 3, thai: 3]]))
        let untouched = scores.among(ScriptVotes())
        #expect(abs(untouched.unavailableProbability - scores.unavailableProbability) < 1e-4)
        var votes = ScriptVotes()
        #expect(!votes.haveOther(than: ScriptScores.readable))
        for _ in 0..<10 { votes.count(0) }
        #expect(!votes.haveOther(than: ScriptScores.readable))
        #expect(scores.among(votes).unavailableProbability < scores.unavailableProbability / 3)
        for _ in 0..<10 { votes.count(thai) }
        #expect(votes.haveOther(than: ScriptScores.readable))
        #expect(!votes.haveOther(than: ScriptScores.readable.union([.thai])))
        #expect(scores.among(votes).script == .thai)
        #expect(scores.among(votes).unavailableProbability > scores.unavailableProbability)
    }

    @Test func votesOfLongAgoCountLittle() throws {
        let thai = try Self.place(.thai)
        var votes = ScriptVotes()
        for _ in 0..<10_000 { votes.count(thai) }
        for _ in 0..<200 { votes.count(0) }
        let scores = try #require(Self.read([[0: 1]])).among(votes)
        #expect(scores.unavailableProbability < 0.5)
    }

    @Test func anIdeographByItselfIsNoTextAmongManyLinesInLatin() throws {
        let han = try Self.place(.han)
        var votes = ScriptVotes()
        #expect(!votes.areAgainst("大", ReadingOptions()))
        votes.count(han)
        for _ in 0..<7 { votes.count(0) }
        #expect(!votes.areAgainst("大", ReadingOptions()))
        votes.count(0)
        for text in ["大", "つ"] { #expect(votes.areAgainst(text, ReadingOptions())) }
        for text in ["", "X", "*", "大学", "Σ"] { #expect(!votes.areAgainst(text, ReadingOptions())) }
        #expect(votes.areAgainst("大", ReadingOptions(languages: ["en"])))
        #expect(!votes.areAgainst("大", ReadingOptions(languages: ["en", "ja"])))
        votes.count(try Self.place(.japanese))
        #expect(!votes.areAgainst("大", ReadingOptions()))
    }

    @Test func whatAModelReadsIsNoOtherScript() throws {
        let japanese = try #require(Self.read([[try Self.place(.japanese): 9]]))
        #expect(japanese.other(than: [.latin, .han]).script == .japanese)
        #expect(japanese.other(than: [.latin, .han]).probability > 0.99)
        #expect(japanese.unavailableProbability < 0.01)
        // What is no text has no script.
        let nothing = try #require(Self.read([[ScriptScores.classes.count - 1: 9]]))
        #expect(nothing.other(than: []).probability < 0.01)
    }

    @Test func probableScriptsAreRanked() throws {
        let (cyrillic, thai, hebrew) = (
            try Self.place(.cyrillic), try Self.place(.thai), try Self.place(.hebrew)
        )
        let scores = try #require(Self.read([[try Self.place(nil): 9, cyrillic: 7, thai: 8, hebrew: 3, 0: 8.5]]))
        #expect(scores.named(otherThan: ScriptScores.readable, atLeast: 0.05) == [.thai, .cyrillic])
    }

    @Test func whatRemainsBesideCertainCharactersHasItsOwnScript() throws {
        let thai = try Self.place(.thai)
        // A digit at each of the two first groups of three steps, and letters of Thai in the last six.
        let steps = [[Int: Float]](repeating: [0: 16], count: 6) + [[Int: Float]](repeating: [thai: 12], count: 6)
        func rest(_ confidence: Float, steps count: Int = 12) throws -> ScriptScores? {
            let characters: [(confidence: Float, centre: Float)] = [(confidence, 1.5), (confidence, 4.5)]
            let scores = Self.scores(steps).withUnsafeBufferPointer {
                LineScores($0, steps: count, characters: characters)
            }
            return try #require(scores).rest
        }
        #expect(try #require(try rest(0.95)).unavailableProbability > 0.99)
        #expect(try #require(try rest(0.8)).unavailableProbability < 0.5)
        #expect(try rest(0.95, steps: 11) == nil)
    }

    @Test func scriptsThatAreNotToldApartHaveNoName() throws {
        let scores = try #require(Self.read([[try Self.place(nil): 8]]))
        #expect(scores.script == nil)
        #expect(scores.unavailableProbability > 0.99)
    }

    @Test func anOutputOfAnotherFormSaysNothing() {
        #expect(Self.read([[0: 1]], count: 2) == nil)
        #expect(Self.read([], count: 0) == nil)
    }

    private let exp8: Float = 2980.958
    private let exp2: Float = 7.389056
}

extension ScriptScores {
    fileprivate static let readable: Set<Script> = [.latin, .han, .japanese]
    /// Number of classes of scripts that are not read.
    fileprivate static var unavailableCount: Int { Self.classes.count - Self.readable.count - 1 }

    fileprivate var unavailableProbability: Float { self.other(than: Self.readable).probability }
    fileprivate var script: Script? { self.other(than: Self.readable).script }
}
