internal import TextModel

/// Orientation of single lines by recognition in the possible directions, the likeliest first.
///
/// A detected box does not show which of its sides is the top. Text recognized upside down rarely has a high
/// confidence, so the confidence of the readings decides.
struct LineOrienter {
    let recognizer: LineRecognizer

    /// Confidence below which a reading may be upside down.
    static let minConfidence: Float = 0.8
    /// The same before the frame's other lines have shown their direction.
    ///
    /// Upside down, whole lines have been read with confidences up to 0.91.
    private static let minFirstConfidence: Float = 0.95
    /// Confidence of an upright reading that one upside down does not replace where it reads both ways, such as NO, and of a
    /// narrow letter that stands as the frame's lines do.
    ///
    /// Of 230 faint words drawn upright, 13 → 6 were read upside down at `fast`; of as many drawn upside down, 8 → 14 were
    /// read upright.
    private static let minUprightConfidence: Float = 0.5

    /// Recognizes lines of one shape and width, each in as many directions as it takes.
    ///
    /// - Parameters:
    ///   - lines: The lines; ``LineRecognizer/maxLines`` at most.
    ///   - context: The frame and the options.
    ///   - votes: The votes of the frame's earlier lines.
    ///   - images: The pool of buffers for the rectified lines.
    /// - Returns: The best reading of each line, without characters if nothing was recognized in any direction.
    /// - Throws: ``RecognitionError`` if inference fails.
    func read(
        _ lines: [DetectedLine],
        in context: LineContext,
        votes: DirectionVotes,
        images: LineImagePool
    ) throws(RecognitionError) -> [OrientedReading] {
        guard let shape = lines.first?.shape else { return [] }
        let isDecided = votes.isDecided(for: shape)
        func needsAnother(_ trial: OrientedReading) -> Bool {
            !Self.isConclusive(trial, shape: shape, isDecided: isDecided)
        }
        let order = votes.order(for: shape)
        var best = try self.trials(of: lines, turned: order[0], in: context, images: images)
        var inconclusive = best.indices.filter { needsAnother(best[$0]) }
        for quarterTurns in order.dropFirst() where !inconclusive.isEmpty {
            let tried = inconclusive.map { lines[$0] }
            let trials = try self.trials(of: tried, turned: quarterTurns, in: context, images: images)
            for (index, trial) in zip(inconclusive, trials) {
                let isBetter = Self.isBetter(trial, than: best[index], shape: shape)
                images.recycle(isBetter ? best[index].image : trial.image)
                if isBetter { best[index] = trial.replacing(best[index]) }
            }
            inconclusive = zip(inconclusive, trials).filter { needsAnother($1) }.map(\.0)
        }
        return best
    }

    /// Readings of lines in one direction.
    private func trials(
        of lines: [DetectedLine],
        turned quarterTurns: Int,
        in context: LineContext,
        images: LineImagePool
    ) throws(RecognitionError) -> [OrientedReading] {
        let taken = lines.map { _ in images.take() }
        do throws(RecognitionError) {
            let readings = try self.recognizer.recognize(
                lines.map { context.frame.sent($0.rect.quad.turned(quarterTurns)) },
                in: context.frame.view,
                options: context.options,
                images: taken
            )
            return lines.indices.map { index in
                OrientedReading(
                    source: DirectedReading(
                        line: lines[index],
                        quarterTurns: quarterTurns,
                        reading: readings[index]
                    ),
                    image: taken[index]
                )
            }
        } catch {
            taken.forEach(images.recycle)
            throw error
        }
    }

    /// Whether a reading is better than those in other directions.
    ///
    /// What is read of a script that the recognizer does not know means nothing, and neither does its confidence. Upside down,
    /// no script is recognized.
    private static func isBetter(
        _ trial: OrientedReading,
        than best: OrientedReading,
        shape: DirectionVotes.Shape
    ) -> Bool {
        let confidence = best.reading.confidence
        if trial.reading.certainUnavailableScript != nil { return confidence < Self.minConfidence }
        guard trial.reading.confidence > confidence else { return false }
        guard shape != .tall, best.quarterTurns == 0, confidence >= Self.minUprightConfidence else { return true }
        let text = trial.reading.text
        if OrientationCue.isTurnedZone(text, upright: best.reading.text) { return false }
        return text == best.reading.text || OrientationCue.evidence(in: text) > 0
    }

    /// Whether a reading makes those in other directions unnecessary.
    ///
    /// A line with a confident reading upside down is also read upright, whatever the direction of the other lines: one
    /// inverted line is weak evidence for its neighbours.
    private static func isConclusive(
        _ trial: OrientedReading,
        shape: DirectionVotes.Shape,
        isDecided: Bool
    ) -> Bool {
        if trial.reading.certainUnavailableScript != nil { return true }
        let confidence = trial.reading.confidence
        let isUsual = isDecided && trial.quarterTurns != 2
        if isUsual, shape == .narrow, trial.quarterTurns == 0 { return confidence >= Self.minUprightConfidence }
        return isUsual
            ? confidence >= Self.minConfidence
            : shape == .wide && confidence >= Self.minFirstConfidence
    }
}
