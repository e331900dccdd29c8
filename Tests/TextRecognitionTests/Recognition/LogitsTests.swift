import Foundation
import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct LogitsTests {
    /// Scores between -20 and 20, as networks give them.
    private static func scores(_ random: inout SplitMix64, count: Int) -> [BFloat16] {
        (0..<count).map { _ in
            BFloat16(bitPattern: UInt16(Float.random(in: -20...20, using: &random).bitPattern >> 16))
        }
    }

    /// Probabilities of a row of scores, by the textbook formula.
    private static func softmax(_ row: [BFloat16]) -> [Double] {
        let exponentials = row.map { exp(Double($0.float)) }
        let sum = exponentials.reduce(0, +)
        return exponentials.map { $0 / sum }
    }

    /// The likeliest class of a step, with the blank.
    private static func best(_ scores: Logits, in step: Int) -> Int {
        switch scores.emission(at: step, allowed: nil) {
        case .character(let label): label
        case .blank: Alphabet.blank
        }
    }

    @Test(arguments: [1, 2, 7, 63, 64, 65, 6906])
    func theProbabilitiesAreThoseOfTheTextbook(classCount: Int) {
        var random = SplitMix64(71)
        let stepCount = 5
        let values = Self.scores(&random, count: stepCount * classCount)
        values.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            let scores = Logits(base, stepCount: stepCount, classCount: classCount)
            let all = scores.probabilities()
            for step in 0..<stepCount {
                let row = Array(values[step * classCount..<(step + 1) * classCount])
                let expected = Self.softmax(row)
                let best = Self.best(scores, in: step)
                #expect(row[best].float == row.map(\.float).max())
                for label in 0..<classCount {
                    #expect(abs(Double(all[step * classCount + label]) - expected[label]) < 1e-4)
                }
                for label in Set([0, classCount / 2, best]) {
                    #expect(abs(Double(scores.probability(of: label, in: step)) - expected[label]) < 1e-4)
                }
            }
        }
    }

    @Test func negligibleClassesAreAlikeAndNotImpossible() {
        Logits.with([0.7, 0.3, 1e-10, 1e-13], classCount: 4) { scores in
            let probabilities = scores.probabilities()
            #expect(probabilities[2] == probabilities[3])
            #expect(probabilities[2] > 0 && probabilities[2] < 2e-7)
        }
    }

    @Test func theBestOfThoseThatAreAllowedIsFoundAmongLargerOnes() {
        Logits.with([0.1, 0.6, 0.2, 0.05, 0.05], classCount: 5) { scores in
            #expect(scores.emission(at: 0, allowed: ClassMask(labels: [2, 3])) == .character(2))
            #expect(scores.emission(at: 0, allowed: ClassMask(labels: [3, 4]), nearMiss: -1) == .blank(nearMiss: 3))
            #expect(abs(scores.probability(of: 2, in: 0) - 0.2) < 0.003)
        }
    }

    @Test func aNearMissHasAShareOfTheBlanksProbability() {
        Logits.with([0.6, 0.06, 0.13, 0.05], classCount: 4) { scores in
            #expect(scores.emission(at: 0, allowed: nil, nearMiss: logf(0.2)) == .blank(nearMiss: 2))
            #expect(scores.emission(at: 0, allowed: nil, nearMiss: logf(0.25)) == .blank(nearMiss: nil))
            #expect(scores.emission(at: 0, allowed: nil) == .blank(nearMiss: nil))
            for labels in [[1, 3], []] {
                let emission = scores.emission(at: 0, allowed: ClassMask(labels: labels), nearMiss: logf(0.2))
                #expect(emission == .blank(nearMiss: nil))
            }
        }
    }
}
