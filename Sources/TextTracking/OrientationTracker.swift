internal import TextModel
internal import TextRecognition

/// Orientation of a stream's frames by their text, where the client leaves it to the server.
///
/// It is estimated in the first frame, and again when the text that is read is not upright.
struct OrientationTracker {
    private struct Estimate {
        /// Orientation that the client declared.
        let declared: Orientation
        /// Clockwise quarter turns beyond it, 0 to 3.
        let quarterTurns: Int
        /// Time of the estimate.
        let time: Duration
        /// Whether text that was read since then is not upright.
        var isUncertain = false
    }

    private var estimate: Estimate?

    /// Turns a frame by the current estimate, which the first frame makes.
    mutating func turn(_ context: inout FrameContext, at time: Duration) throws(RecognitionError) {
        guard context.options.upright == .auto else { return }
        let declared = context.frame.orientation
        if self.estimate?.declared != declared {
            let quarterTurns = try context.estimateQuarterTurns() ?? 0
            self.estimate = Estimate(declared: declared, quarterTurns: quarterTurns, time: time)
        }
        context.turn(byQuarterTurns: self.estimate?.quarterTurns ?? 0)
    }

    /// Estimates the orientation again if text in the frame is not upright, and repeatedly while that is uncertain.
    ///
    /// - Parameters:
    ///   - context: The frame, turned by the current estimate.
    ///   - lines: Its text, in sent pixels.
    ///   - refresh: The least time between two estimates while the orientation is uncertain.
    ///   - time: The time of the frame.
    /// - Returns: Whether the frame had to be turned, and is to be read again.
    /// - Throws: ``RecognitionError`` when inference fails.
    mutating func turn(
        _ context: inout FrameContext,
        by lines: [TextLine],
        refresh: Duration,
        at time: Duration
    ) throws(RecognitionError) -> Bool {
        guard context.options.upright == .auto, let estimate = self.estimate else { return false }
        let residual = Self.quarterTurns(of: lines, in: context.frame)
        if residual == 0 {
            self.estimate?.isUncertain = false
            return false
        }
        let isDue = time < estimate.time || time - estimate.time >= refresh
        guard isDue || residual != nil && !estimate.isUncertain else { return false }
        let quarterTurns = try context.estimateQuarterTurns() ?? 0
        self.estimate = Estimate(
            declared: estimate.declared,
            quarterTurns: (estimate.quarterTurns + quarterTurns) % 4,
            time: time,
            isUncertain: true
        )
        context.turn(byQuarterTurns: quarterTurns)
        return quarterTurns != 0
    }

    /// Records whether the text of a frame that was turned and read again is upright.
    mutating func wasReadAgain(_ lines: [TextLine], in frame: UprightFrame) {
        self.estimate?.isUncertain = Self.quarterTurns(of: lines, in: frame) != 0
    }

    /// Clockwise quarter turns that bring text upright; `nil` where there is too little of it.
    private static func quarterTurns(of lines: [TextLine], in frame: UprightFrame) -> Int? {
        var direction = ReadingDirection()
        for line in lines { direction.count(line, in: frame) }
        return direction.turn
    }
}
