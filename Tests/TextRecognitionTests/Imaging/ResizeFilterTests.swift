import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct ResizeFilterTests {
    private static let counts = [1, 2, 3, 5, 16, 31, 100, 333, 640, 1080, 1984]

    private static func resized(_ source: [Float], by filter: ResizeFilter) -> [Float] {
        (0..<filter.targetCount).map { target in
            (0..<filter.tapCount).reduce(Float(0)) { sum, tap in
                sum + source[Int(filter.starts[target]) + tap] * filter.weights[target * filter.tapCount + tap]
            }
        }
    }

    @Test(arguments: counts)
    func everyTargetTakesItsWholeWeightFromPixelsThatExist(sourceCount: Int) {
        for targetCount in Self.counts {
            let filter = ResizeFilter(from: sourceCount, to: targetCount)
            #expect(filter.starts.count == targetCount)
            #expect(filter.weights.count == targetCount * filter.tapCount)
            for target in 0..<targetCount {
                let start = Int(filter.starts[target])
                #expect(start >= 0 && start + filter.tapCount <= sourceCount)
                let weights = filter.weights[target * filter.tapCount..<(target + 1) * filter.tapCount]
                #expect(abs(weights.reduce(0, +) - 1) < 1e-5)
                #expect(weights.allSatisfy { $0 >= 0 })
            }
        }
    }

    @Test(arguments: counts)
    func noPixelThatTheTriangleReachesIsLeftOut(sourceCount: Int) {
        for targetCount in Self.counts {
            let filter = ResizeFilter(from: sourceCount, to: targetCount)
            let scale = Double(sourceCount) / Double(targetCount)
            let support = max(1, scale)
            for target in 0..<targetCount {
                let centre = (Double(target) + 0.5) * scale - 0.5
                let first = max(0, Int(centre - support) - 1)
                let near = first...max(first, min(sourceCount - 1, Int(centre + support) + 1))
                let triangle = near.map { max(0, 1 - abs(Double($0) - centre) / support) }
                let sum = triangle.reduce(0, +)
                var left = sum
                for tap in 0..<filter.tapCount {
                    let pixel = Int(filter.starts[target]) + tap
                    let weight = near.contains(pixel) ? triangle[pixel - near.lowerBound] : 0
                    #expect(abs(Double(filter.weights[target * filter.tapCount + tap]) - weight / sum) < 1e-3)
                    left -= weight
                }
                #expect(left / sum < 1e-3)
            }
        }
    }

    @Test func startsNeverStepBack() {
        for (source, target) in [(1984, 1080), (1080, 1984), (7, 640), (640, 7)] {
            let starts = ResizeFilter(from: source, to: target).starts
            #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test(arguments: counts)
    func theSameSizeChangesNothing(count: Int) {
        let source = (0..<count).map { Float($0 * 37 % 256) }
        #expect(Self.resized(source, by: ResizeFilter(from: count, to: count)) == source)
    }

    @Test func twiceTheSizeInterpolates() {
        let filter = ResizeFilter(from: 3, to: 6)
        let resized = Self.resized([0, 100, 40], by: filter)
        #expect(resized.difference(from: [0, 25, 75, 85, 55, 40]) < 1e-4)
    }

    @Test func halfTheSizeAveragesWithTheTriangleOfOneTargetPixel() {
        // Centre 2.5 of the second target: weights 1/4, 3/4, 3/4, 1/4 of half the sum, on pixels 1 to 4.
        let resized = Self.resized([0, 8, 0, 0, 16, 0, 0, 0], by: ResizeFilter(from: 8, to: 4))
        #expect(abs(resized[1] - (8 * 0.125 + 16 * 0.125)) < 1e-4)
    }

    @Test(arguments: [(100, 250), (250, 100), (640, 1984), (1984, 640), (97, 31)])
    func aSlopeStaysASlope(sourceCount: Int, targetCount: Int) {
        let filter = ResizeFilter(from: sourceCount, to: targetCount)
        let resized = Self.resized((0..<sourceCount).map { Float($0) }, by: filter)
        let scale = Float(sourceCount) / Float(targetCount)
        let margin = Int(max(1, 1 / scale).rounded(.up)) + 1
        for target in margin..<targetCount - margin {
            #expect(abs(resized[target] - ((Float(target) + 0.5) * scale - 0.5)) < 0.03 * scale + 0.01)
        }
    }

    @Test(arguments: [(100, 250), (250, 100), (641, 1984), (1983, 640), (16, 5)])
    func aMirroredRowGivesTheMirroredResult(sourceCount: Int, targetCount: Int) {
        var random = SplitMix64(11)
        let source = (0..<sourceCount).map { _ in Float.random(in: 0...255, using: &random) }
        let filter = ResizeFilter(from: sourceCount, to: targetCount)
        let mirrored: [Float] = Self.resized(source.reversed(), by: filter).reversed()
        #expect(Self.resized(source, by: filter).difference(from: mirrored) < 0.1)
    }
}
