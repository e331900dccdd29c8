internal import Glibc

/// What a recogniser's confidence in a word means: how many of the words that it is so sure of are right.
///
/// Platt, Probabilistic Outputs for Support Vector Machines (1999): a logistic curve, here over the logit of the
/// confidence, so that 1 and 0 stay near where they are. `bench/calibrate` fits the two constants.
public struct Calibration: Sendable {
    private let slope: Float
    private let offset: Float

    /// A confidence that means what it says.
    public static let identity = Calibration(slope: 1, offset: 0)

    /// Nothing is told to be surer than this, or less sure than what is left to 1.
    private static let most: Float = 0.9995

    /// The curve whose logit is `slope` times that of the confidence, and `offset`.
    ///
    /// - Parameters:
    ///   - slope: Above 0, so that what is surer stays surer.
    ///   - offset: Below 0 where the recogniser is too sure of itself.
    public init(slope: Float, offset: Float) {
        (self.slope, self.offset) = (slope, offset)
    }

    /// The share of words that are right of those that the recogniser is so sure of.
    func callAsFunction(_ confidence: Float) -> Float {
        if self.slope == 1, self.offset == 0 { return confidence }
        let bounded = min(max(confidence, 1 - Self.most), Self.most)
        return 1 / (1 + expf(-(self.slope * logf(bounded / (1 - bounded)) + self.offset)))
    }
}
