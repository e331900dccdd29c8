/// Faint changes of a line before a still camera, which noise or other text causes: when its template is compared, and with what.
struct FaintChanges {
    /// What a line is compared with its template for.
    enum Comparison {
        /// To know how noise changes it.
        case noise
        /// To see whether it shows other text, since its cells have changed faintly.
        case text
    }

    private enum Tuning {
        /// Least increase of the decorrelation of a line that may be another text.
        ///
        /// Digits that compressed video draws in two frames changed it by 0.008 and more, where lines that did not change had
        /// 0.0002 (streams log, *Text that changes in compressed video*).
        static let minIncrease: Float = 0.004
        /// Least difference of its template with which such a line may be another text, as a share of the line's contrast.
        ///
        /// It was 0.06 and more of the digits and letters that changed; a long line that becomes sharper as a whole is less
        /// different.
        static let minDifference: Float = 0.05
        /// Longest interval between two comparisons of an unchanged line that changes faintly in each frame, in frames.
        ///
        /// Chosen by eye.
        static let maxInterval = 4
        /// Readings with the same text up to which the next one is put off for longer, with intervals that double; chosen by eye.
        static let maxConfirmations = 7
        /// Readings with the same text after which the next one is not put off yet; chosen by eye.
        ///
        /// Compressed video draws a text in two frames, or three.
        static let readyConfirmations = 2
    }

    /// Decorrelation that noise causes; `nil` until it is known.
    private var noise: Float?
    /// Whether ``noise`` waits for a frame without a faint change.
    private var awaitsNoise = true
    /// Readings in a row that showed the same text where the picture had changed faintly.
    private var confirmationCount = 0
    /// Whether the line changed faintly and was not compared yet.
    var isPending = false
    /// Frames in a row that have changed faintly since it was compared, and the number of them after which it is again.
    private var frames = (count: 0, interval: 1)

    /// Decides what the line is compared for in the latest frame.
    ///
    /// What changes in each frame is noise, and is compared in some frames only.
    ///
    /// - Parameters:
    ///   - isFaintlyChanged: Whether a cell of the line differs from the keyframe by more than the noise of calm frames.
    ///   - isAbsorbed: Whether the frame becomes the keyframe, so that later ones do not show the change.
    /// - Returns: What it is compared for; `nil` where it is not compared.
    mutating func comparison(isFaintlyChanged: Bool, isAbsorbed: Bool) -> Comparison? {
        guard isFaintlyChanged || self.isPending else {
            self.frames = (0, 1)
            defer { self.awaitsNoise = false }
            return self.awaitsNoise ? .noise : nil
        }
        self.frames.count += 1
        let wait = 1 << max(0, min(self.confirmationCount, Tuning.maxConfirmations) - Tuning.readyConfirmations)
        let interval = isAbsorbed ? wait : max(wait, self.frames.interval)
        self.isPending = self.frames.count < interval
        guard !self.isPending else { return nil }
        self.frames = (0, min(2 * self.frames.interval, Tuning.maxInterval))
        return .text
    }

    /// Records a comparison with the template.
    ///
    /// - Parameters:
    ///   - comparison: What the line was compared for.
    ///   - decorrelation: The decorrelation of the match.
    ///   - difference: Its difference, as a share of the line's contrast.
    ///   - maxIncrease: The increase of the decorrelation from which any line may be another text.
    /// - Returns: Whether the line may show other text.
    mutating func record(
        _ comparison: Comparison,
        decorrelation: Float,
        difference: Float,
        maxIncrease: Float
    ) -> Bool {
        guard comparison == .text else {
            self.noise = decorrelation
            if decorrelation < Tuning.minIncrease { self.confirmationCount = 0 }
            return false
        }
        let noise = self.noise ?? 0
        let increase = min(max(noise, Tuning.minIncrease), maxIncrease)
        return difference > Tuning.minDifference && decorrelation > noise + increase
    }

    /// Records a reading of the line, after which its decorrelation is that of noise.
    mutating func wasRead(decorrelation: Float) {
        self.noise = decorrelation
        self.confirmationCount += 1
    }

    /// Keeps the confirmations of the line's earlier template, of which a reading has shown the same text.
    mutating func keepConfirmations(of earlier: FaintChanges) { self.confirmationCount = earlier.confirmationCount }
}
