internal import GlyphwireProtocol
internal import TextModel
internal import NIOConcurrencyHelpers

/// Comparison of a run's results with an expectation, or collection of results for the next run.
final class ResultComparison: Sendable {
    private struct State {
        var agreement = Agreement()
        var learned = Expectation()
    }

    /// Expectation to compare with; `nil` collects one.
    private let expectation: Expectation?
    private let state = NIOLockedValueBox(State())

    init(_ expectation: Expectation?) {
        self.expectation = expectation
    }

    func take(_ result: FrameResult, recordedSequence: UInt64) {
        guard let expectation = self.expectation else {
            return self.state.withLockedValue { $0.learned.add(result, recordedSequence: recordedSequence) }
        }
        guard let expected = expectation.words(ofFrame: recordedSequence), case .ok(let text) = result.outcome else {
            return self.frameMissed(recordedSequence)
        }
        // Matching is expensive and needs no lock.
        let match = WordMatch(expected: expected, found: text.lines.flatMap(\.words))
        self.state.withLockedValue { $0.agreement.add(match, sequence: recordedSequence) }
    }

    /// Counts a frame that was not read, or of which there is no expectation.
    func frameMissed(_ recordedSequence: UInt64) {
        guard let expectation = self.expectation else { return }
        let isExpected = expectation.words(ofFrame: recordedSequence) != nil
        self.state.withLockedValue { state in
            if isExpected { state.agreement.framesNotRead += 1 } else { state.agreement.framesUnknown += 1 }
        }
    }

    /// Agreement with the expectation; `nil` if results were collected.
    var agreement: Agreement? { self.expectation == nil ? nil : self.state.withLockedValue { $0.agreement } }

    /// Collected results.
    var learned: Expectation { self.state.withLockedValue { $0.learned } }
}
