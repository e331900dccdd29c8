internal import TextModel

/// Reading of a line in its most confident direction.
struct DirectedReading {
    let line: DetectedLine
    /// Rotation from the detected box to the reading direction, in quarter turns clockwise.
    let quarterTurns: Int
    var reading: RecognizedLine
    /// Reading in the direction that was tried first, where one in another direction is more confident; `nil` otherwise.
    ///
    /// A script that the models do not read may look more like theirs upside down.
    var first: FirstReading?

    /// The reading in the direction that was tried first instead of the most confident one.
    var inFirstDirection: DirectedReading? {
        self.first.map { DirectedReading(line: self.line, quarterTurns: $0.quarterTurns, reading: $0.reading) }
    }

    /// Returns the reading, in this or the first direction, whose suspected script is probable enough to explain that the models
    /// recognized no text; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - votes: The directions of the frame's other lines, one of which counts first; `nil` if they are not at hand.
    ///   - second: The scripts that the second model reads.
    /// - Returns: The reading, with its script.
    func withProbableScript(
        among votes: DirectionVotes?,
        except second: Set<Script>
    ) -> (source: DirectedReading, script: UnavailableScript)? {
        var probable: [(source: DirectedReading, script: UnavailableScript)] = []
        for case let source? in [self, self.inFirstDirection] {
            // An expected script was tried already.
            guard let script = source.reading.suspectedUnavailableScript, !script.isExpected, !script.isVague,
                !script.isOne(of: second),
                ScriptPolicy.isExplained(by: script, width: source.reading.width)
            else { continue }
            probable.append((source, script))
        }
        let usual = probable.filter { votes?.isUsual($0.source.quarterTurns, for: self.line.shape) == true }
        return (usual.isEmpty ? probable : usual).max { $0.script.probability < $1.script.probability }
    }

    /// The line turned by half, with the recognizer's reading of the other direction, which means nothing.
    func turned(in frame: UprightFrame) -> DirectedReading {
        let turns = (self.quarterTurns + 2) % 4
        var reading = self.reading
        reading.map = Homography(
            width: Float(reading.width),
            height: Float(LineSize.height),
            to: frame.sent(self.line.rect.quad.turned(turns))
        )
        return DirectedReading(line: self.line, quarterTurns: turns, reading: reading)
    }
}
