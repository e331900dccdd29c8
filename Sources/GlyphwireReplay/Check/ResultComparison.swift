internal import GlyphwireProtocol
internal import TextModel
internal import NIOConcurrencyHelpers

/// Holds the results of a run against what is expected, or learns from them what to expect of the next.
final class ResultComparison: Sendable {
    private struct State {
        var agreement = Agreement()
        var learned = Expectation()
    }

    /// `nil` learns.
    private let expectation: Expectation?
    private let state = NIOLockedValueBox(State())

    init(_ expectation: Expectation?) {
        self.expectation = expectation
    }

    func take(_ result: FrameResult, recordedSequence: UInt64) {
        guard let expectation = self.expectation else {
            return self.state.withLockedValue { $0.learned.add(result, recordedSequence: recordedSequence) }
        }
        let expected = expectation.words(ofFrame: recordedSequence)
        guard let expected, case .ok(let text) = result.outcome else {
            return self.state.withLockedValue { state in
                if expected == nil { state.agreement.framesUnknown += 1 } else { state.agreement.framesNotRead += 1 }
            }
        }
        // Matching is the expensive part, and needs no lock.
        let match = WordMatch(expected: expected, found: text.lines.flatMap(\.words))
        self.state.withLockedValue { $0.agreement.add(match, sequence: recordedSequence) }
    }

    /// How far the results are what was expected; `nil` where it learned.
    var agreement: Agreement? { self.expectation == nil ? nil : self.state.withLockedValue { $0.agreement } }

    /// What was learned.
    var learned: Expectation { self.state.withLockedValue { $0.learned } }
}
