package import GlyphwireProtocol
internal import TextModel

/// Words expected in each frame of a session, as a server reported them before.
package struct Expectation: Sendable {
    private var words: [UInt64: [TextWord]] = [:]

    /// Nothing is expected.
    package init() {}

    /// Reads the lines that a run of the session has written with `--results`.
    ///
    /// - Parameter path: Of the lines.
    /// - Throws: ``ReplayError`` if they cannot be read, or none of them is the result of a frame that was read.
    package init(path: String) throws(ReplayError) {
        var lines = try ServerLineReader(path: path)
        while let result = try lines.nextResult() { self.add(result, recordedSequence: result.sequence) }
        if self.words.isEmpty {
            throw ReplayError(.unreadable, "\(path) holds no result of a frame that was read, so nothing is expected")
        }
    }

    /// Expects what a result says; where a frame has several, what the first of them says.
    package mutating func add(_ result: FrameResult, recordedSequence: UInt64) {
        guard case .ok(let text) = result.outcome, self.words[recordedSequence] == nil else { return }
        self.words[recordedSequence] = text.lines.flatMap(\.words)
    }

    /// The words of a frame; `nil` if nothing is known of it.
    func words(ofFrame recordedSequence: UInt64) -> [TextWord]? { self.words[recordedSequence] }
}
