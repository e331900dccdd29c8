import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct CTCBeamSearchTests {
    /// Rows of probabilities that sum to 1, none of them too small to be tried.
    private static func rows(_ random: inout SplitMix64, stepCount: Int, classCount: Int) -> [Float] {
        (0..<stepCount).flatMap { _ in
            let row = (0..<classCount).map { _ in Float.random(in: 0.05...1, using: &random) }
            let sum = row.reduce(0, +)
            return row.map { $0 / sum }
        }
    }

    /// Probability of every label sequence, by summing all paths.
    private static func allReadings(_ values: [Float], classCount: Int, allowed: [Int]? = nil) -> [[Int]: Double] {
        let stepCount = values.count / classCount
        let classes = [0] + (allowed ?? Array(1..<classCount))
        var readings: [[Int]: Double] = [:]
        var path = [Int](repeating: 0, count: stepCount)
        func walk(_ step: Int, _ probability: Double) {
            guard step < stepCount else {
                var labels: [Int] = []
                for (index, label) in path.enumerated() where label != 0 && (index == 0 || path[index - 1] != label) {
                    labels.append(label)
                }
                readings[labels, default: 0] += probability
                return
            }
            for label in classes {
                path[step] = label
                walk(step + 1, probability * Double(values[step * classCount + label]))
            }
        }
        walk(0, 1)
        return readings
    }

    private static func search(
        _ values: [Float],
        classCount: Int,
        allowed: ClassMask? = nil,
        count: Int = 20
    ) -> [(labels: [Int], probability: Float)] {
        CTCBeamSearch.readings(
            values,
            stepCount: values.count / classCount,
            classCount: classCount,
            allowed: allowed,
            count: count
        )
    }

    @Test(arguments: [(1, 2), (2, 3), (3, 4), (4, 3), (5, 2)])
    func readingsAreThoseOfAllPathsAddedUp(stepCount: Int, classCount: Int) {
        var random = SplitMix64(27)
        for _ in 0..<50 {
            let values = Self.rows(&random, stepCount: stepCount, classCount: classCount)
            let expected = Self.allReadings(values, classCount: classCount)
            let found = Self.search(values, classCount: classCount)
            #expect(found.count == min(20, expected.count))
            for (labels, probability) in found {
                #expect(abs(Double(probability) - (expected[labels] ?? 0)) < 1e-4)
            }
            let best = expected.values.sorted(by: >).prefix(found.count)
            for (got, wanted) in zip(found, best) { #expect(abs(Double(got.probability) - wanted) < 1e-4) }
        }
    }

    @Test func forbiddenClassesAreNotRead() {
        var random = SplitMix64(28)
        for _ in 0..<20 {
            let values = Self.rows(&random, stepCount: 3, classCount: 5)
            let expected = Self.allReadings(values, classCount: 5, allowed: [2, 4])
            let total = expected.values.reduce(0, +)
            for (labels, probability) in Self.search(values, classCount: 5, allowed: ClassMask(labels: [2, 4])) {
                #expect(labels.allSatisfy { $0 == 2 || $0 == 4 })
                #expect(abs(Double(probability) - (expected[labels] ?? 0) / total) < 1e-4)
            }
        }
    }

    @Test func theBestReadingIsThatOfTheBestPathWhereItIsUnambiguous() {
        var random = SplitMix64(29)
        for _ in 0..<50 {
            let classCount = 40
            let values = (0..<60).flatMap { _ -> [Float] in
                var row = [Float](repeating: 0.05 / Float(classCount), count: classCount)
                row[Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 1..<classCount, using: &random) : 0] =
                    0.95
                return row
            }
            let path = Logits.with(values, classCount: classCount) {
                CTCDecoder.bestPath($0, .counting(classCount), allowed: nil)
            }
            .map(\.label)
            #expect(Self.search(values, classCount: classCount, count: 3).first?.labels == path)
        }
    }

    @Test func aDoubledLetterNeedsABlankBetween() {
        // Two steps of "a" are one "a", whatever their probability; with a blank between they may be two.
        let near = Self.search([0.1, 0.9, 0.1, 0.9], classCount: 2)
        #expect(near.first?.labels == [1])
        #expect(!near.contains { $0.labels == [1, 1] })
        #expect(Self.search([0.1, 0.9, 0.9, 0.1, 0.1, 0.9], classCount: 2).first?.labels == [1, 1])
    }

    @Test func noMoreReadingsThanAskedForAndTheBestFirst() {
        var random = SplitMix64(30)
        let values = Self.rows(&random, stepCount: 12, classCount: 9)
        for count in 1...10 {
            let found = Self.search(values, classCount: 9, count: count)
            #expect(found.count == count)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.probability >= $1.probability })
            #expect(Set(found.map(\.labels)).count == count)
        }
    }

    @Test func aLongLineDoesNotFadeToZero() {
        var random = SplitMix64(31)
        let found = Self.search(Self.rows(&random, stepCount: 300, classCount: 12), classCount: 12, count: 4)
        #expect(found.count == 4)
        #expect(found.allSatisfy { $0.probability > 0 && $0.probability <= 1 })
    }

    @Test func noStepsAreReadAsNothing() {
        let found = Self.search([], classCount: 4)
        #expect(found.count == 1)
        #expect(found.first?.labels == [] && found.first?.probability == 1)
    }
}
