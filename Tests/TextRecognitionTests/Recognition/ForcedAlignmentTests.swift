import Glibc
import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct ForcedAlignmentTests {
    /// Classes: blank, two letters, space.
    private static let classCount = 4

    private static func alignment(_ values: [Float], pixelsPerStep: Float = 1) -> ForcedAlignment {
        values.withUnsafeBufferPointer {
            ForcedAlignment(
                $0,
                stepCount: values.count / Self.classCount,
                classCount: Self.classCount,
                labels: [1, 2],
                space: 3,
                pixelsPerStep: pixelsPerStep
            )
        }
    }

    private static func rows(_ random: inout SplitMix64, stepCount: Int) -> [Float] {
        (0..<stepCount).flatMap { _ in
            let row = (0..<Self.classCount).map { _ in Float.random(in: 0.05...1, using: &random) }
            return row.map { $0 / row.reduce(0, +) }
        }
    }

    /// Probability of all paths that spell `labels`, where a space counts as a blank.
    private static func allPaths(_ values: [Float], _ steps: Range<Int>, _ labels: [Int]) -> Float {
        func walk(_ step: Int, _ last: Int, _ left: ArraySlice<Int>) -> Float {
            guard step < steps.upperBound else { return left.isEmpty ? 1 : 0 }
            let row = values[step * Self.classCount..<(step + 1) * Self.classCount]
            let base = row.startIndex
            var sum = (row[base] + row[base + 3]) * walk(step + 1, 0, left)
            if last != 0 { sum += row[base + last] * walk(step + 1, last, left) }
            if let next = left.first, next != last { sum += row[base + next] * walk(step + 1, next, left.dropFirst()) }
            return sum
        }
        return walk(steps.lowerBound, 0, labels[...])
    }

    @Test(arguments: [[], [1], [2, 1], [1, 1], [1, 2, 1], [2, 2, 2]])
    func theProbabilityIsThatOfAllPathsAddedUp(labels: [Int]) {
        var random = SplitMix64(41)
        for stepCount in 1...6 {
            let values = Self.rows(&random, stepCount: stepCount)
            for steps in [0..<stepCount, 1..<stepCount, 0..<stepCount - 1] where steps.count > 0 {
                let expected = Self.allPaths(values, steps, labels)
                let found = Self.alignment(values).logProbability(of: labels, in: steps)
                #expect(abs(expf(found) - expected) < 1e-4, "\(labels) in \(steps)")
            }
        }
    }

    @Test func noStepsShowNothing() {
        #expect(Self.alignment([]).logProbability(of: [], in: 0..<0) == 0)
        #expect(Self.alignment([]).logProbability(of: [1], in: 0..<0) == -.infinity)
        #expect(Self.alignment([]).characters(of: [1], in: 0..<0) == nil)
    }

    @Test func aLongLineDoesNotFadeToZero() {
        var random = SplitMix64(42)
        let values = Self.rows(&random, stepCount: 300)
        let labels = (0..<100).map { 1 + $0 % 2 }
        #expect(Self.alignment(values).logProbability(of: labels, in: 0..<300).isFinite)
    }

    @Test func charactersStandWhereTheyAreMostProbable() throws {
        let values: [Float] = [
            0.9, 0.1, 0, 0, 0.1, 0.8, 0.1, 0, 0.1, 0.6, 0.3, 0, 0.9, 0.05, 0.05, 0, 0.2, 0, 0.7, 0.1, 1, 0, 0, 0,
        ]
        let characters = try #require(
            Self.alignment(values, pixelsPerStep: 8).characters(of: [1, 2], in: 0..<6)
        )
        #expect(characters.map(\.label) == [1, 2])
        #expect(characters.map(\.confidence) == [0.8, 0.7])
        #expect(abs(characters[0].centre - 8 * (1.5 * 0.8 + 2.5 * 0.6) / 1.4) < 1e-3)
        #expect(abs(characters[1].centre - 8 * 4.5) < 1e-3)
    }

    @Test func moreLettersThanStepsHaveNoPlace() {
        var random = SplitMix64(43)
        let alignment = Self.alignment(Self.rows(&random, stepCount: 3))
        #expect(alignment.characters(of: [1, 1], in: 0..<2) == nil)
        #expect(alignment.characters(of: [1, 1], in: 0..<3)?.count == 2)
        #expect(alignment.logProbability(of: [1, 2, 1], in: 0..<2) == -.infinity)
    }
}
