package import GlyphwireProtocol
internal import TextModel

/// Expected words in each frame of a session, from an earlier run.
package struct Expectation: Sendable {
    private var words: [UInt64: [TextWord]] = [:]

    /// Creates an empty expectation.
    package init() {}

    /// Reads the lines of an earlier run with `--results`.
    ///
    /// - Parameter path: Of the lines.
    /// - Throws: ``ReplayError`` if they cannot be read or have no result of a frame that was read.
    package init(path: String) throws(ReplayError) {
        var lines = try ServerLineReader(path: path)
        while let result = try lines.nextResult() { self.add(result, recordedSequence: result.sequence) }
        if self.words.isEmpty {
            throw ReplayError(
                .unreadable,
                "\(path) has no result of a frame that was read, so there is nothing to compare"
            )
        }
    }

    /// Adds the text of a result; of several results for a frame, the first counts.
    package mutating func add(_ result: FrameResult, recordedSequence: UInt64) {
        guard case .ok(let text) = result.outcome, self.words[recordedSequence] == nil else { return }
        self.words[recordedSequence] = text.lines.flatMap(\.words)
    }

    /// The expected words of a frame; `nil` if there is no expectation.
    func words(ofFrame recordedSequence: UInt64) -> [TextWord]? { self.words[recordedSequence] }
}
