import Testing

@testable import TextRecognition

@Suite struct CalibrationTests {
    @Test(arguments: [0, 0.001, 0.3, 0.97, 1] as [Float])
    func withoutACurveAConfidenceIsAsItIs(confidence: Float) {
        #expect(Calibration.identity(confidence) == confidence)
    }

    @Test func aCurveKeepsTheOrderAndTheBounds() {
        let curve = Calibration(slope: 0.9, offset: -1.4)
        let values = stride(from: Float(0), through: 1, by: 0.01).map { curve($0) }
        #expect(values.allSatisfy { $0 > 0 && $0 < 1 })
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func aCurveIsAStraightLineOfLogits() {
        // The logit of 0.5 is 0, of 0.75 the logarithm of 3.
        #expect(abs(Calibration(slope: 2, offset: 0)(0.75) - 0.9) < 1e-4)
        #expect(abs(Calibration(slope: 1, offset: -1.0986123)(0.5) - 0.25) < 1e-4)
    }
}
