internal import Glibc

/// Confidence calibration: maps a word's raw confidence to the share of such words that are right.
///
/// Platt, Probabilistic Outputs for Support Vector Machines (1999): a logistic curve, here over the logit of the
/// confidence, so that 1 and 0 stay near where they are. `bench/calibrate` fits the two constants.
public struct Calibration: Sendable {
    private let slope: Float
    private let offset: Float

    /// Calibration that leaves confidences as they are.
    public static let identity = Calibration(slope: 1, offset: 0)

    /// Largest confidence that enters the logit, as one less it is the smallest; not measured.
    private static let maxConfidence: Float = 0.9995

    /// Creates the curve whose logit is `slope` times that of the confidence, plus `offset`.
    ///
    /// - Parameters:
    ///   - slope: Above 0, so that the order of confidences is kept.
    ///   - offset: Below 0 for an overconfident recognizer.
    public init(slope: Float, offset: Float) {
        (self.slope, self.offset) = (slope, offset)
    }

    /// Returns the calibrated confidence.
    func callAsFunction(_ confidence: Float) -> Float {
        if self.slope == 1, self.offset == 0 { return confidence }
        let bounded = min(max(confidence, 1 - Self.maxConfidence), Self.maxConfidence)
        return 1 / (1 + expf(-(self.slope * logf(bounded / (1 - bounded)) + self.offset)))
    }
}
