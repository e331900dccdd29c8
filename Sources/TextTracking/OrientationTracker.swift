internal import TextModel
internal import TextRecognition

/// Which way up the frames of a stream are, where the client leaves that to the server.
///
/// It is looked for in the first frame, and again where the text that was read stands otherwise.
struct OrientationTracker {
    private struct Known {
        /// The orientation that the client reported.
        let said: Orientation
        /// In quarters clockwise from that.
        let quarters: Int
        /// When it was looked for.
        let time: Duration
        /// Whether text that was read since then does not stand upright so.
        var isUncertain = false
    }

    private var known: Known?

    /// Turns the frame as the text of the stream stood so far; scans for that first.
    mutating func turn(_ context: inout FrameContext, at time: Duration) throws(RecognitionError) {
        guard context.options.upright == .auto else { return }
        let said = context.frame.orientation
        if self.known?.said != said { self.known = Known(said: said, quarters: try context.turn() ?? 0, time: time) }
        context.turn(byQuarterTurns: self.known?.quarters ?? 0)
    }

    /// Looks again which way up the frame is where the text that was read in it stands otherwise, and from time to time
    /// where that is uncertain.
    ///
    /// - Parameters:
    ///   - context: The frame, turned as was known.
    ///   - tracks: Its text.
    ///   - refresh: The longest time between two scans where that is uncertain.
    ///   - time: When the frame was taken.
    /// - Returns: Whether the frame had to be turned, and is to be read again.
    /// - Throws: ``RecognitionError`` when inference fails.
    mutating func turn(
        _ context: inout FrameContext,
        asTextStandsIn tracks: [Track],
        refresh: Duration,
        at time: Duration
    ) throws(RecognitionError) -> Bool {
        guard context.options.upright == .auto, context.hasRun, let known = self.known else { return false }
        let textTurn = Self.textTurn(of: tracks, in: context.frame)
        if textTurn == 0 {
            self.known?.isUncertain = false
            return false
        }
        let isDue = time < known.time || time - known.time >= refresh
        guard isDue || textTurn != nil && !known.isUncertain else { return false }
        let more = try context.turn() ?? 0
        self.known = Known(said: known.said, quarters: (known.quarters + more) % 4, time: time, isUncertain: true)
        context.turn(byQuarterTurns: more)
        return more != 0
    }

    /// A frame that had to be turned was read again.
    mutating func wasReadAgain(_ tracks: [Track], in frame: UprightFrame) {
        self.known?.isUncertain = Self.textTurn(of: tracks, in: frame) != 0
    }

    /// How many quarters clockwise the frame must be turned for text to stand upright; `nil` where there is too little of
    /// it.
    private static func textTurn(of tracks: [Track], in frame: UprightFrame) -> Int? {
        var direction = ReadingDirection()
        for track in tracks { direction.count(track.line, in: frame) }
        return direction.turn
    }
}
