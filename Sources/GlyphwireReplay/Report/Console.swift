internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers
internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Console output of a run: text on standard output, progress on standard error.
///
/// On a terminal one progress line is updated in place. Elsewhere fewer lines are written, suitable for a log. A command ends
/// with ``finish()``, so that lost output is an error.
package final class Console: Sendable {
    /// Number of progress updates per line that is written without a terminal.
    private static let logInterval = 5

    private struct State {
        var hasProgress = false
        var progressCount = 0
        /// Time before which no more progress is shown.
        var nextProgress = ContinuousClock.now
        /// Reason why the first line of output was lost; `nil` if none was.
        var lossReason: String?
    }

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = NIOLockedValueBox(State())

    /// Creates the process's console.
    package init() {}

    /// Writes a line of output; if that fails, ``finish()`` does too.
    package func output(_ line: String) {
        self.state.withLockedValue { state in
            self.clear(&state)
            let reason = Self.put(line + "\n", to: STDOUT_FILENO)
            state.lossReason = state.lossReason ?? reason
        }
    }

    /// Ends the output.
    ///
    /// - Throws: ``ReplayError`` if a line could not be written, for instance on a full disk.
    package func finish() throws(ReplayError) {
        guard let reason = self.state.withLockedValue(\.lossReason) else { return }
        throw ReplayError(.unwritable, "standard output cannot be written: \(reason)")
    }

    /// Writes a notice for the user to standard error.
    package func notice(_ line: String) {
        self.state.withLockedValue { state in
            self.clear(&state)
            _ = Self.put(line + "\n", to: STDERR_FILENO)
        }
    }

    /// Reports progress.
    ///
    /// - Parameters:
    ///   - line: The progress.
    ///   - interval: The time for which the next calls are ignored; none where there is one call a second.
    package func progress(_ line: String, atMostEvery interval: Duration = .zero) {
        self.state.withLockedValue { state in
            let now = ContinuousClock.now
            guard now >= state.nextProgress else { return }
            state.nextProgress = now + interval
            state.progressCount += 1
            if self.isTerminal {
                _ = Self.put("\r\u{1B}[K\(line)", to: STDERR_FILENO)
                state.hasProgress = true
            } else if state.progressCount % Self.logInterval == 0 {
                _ = Self.put("\(line)\n", to: STDERR_FILENO)
            }
        }
    }

    private func clear(_ state: inout State) {
        guard state.hasProgress else { return }
        _ = Self.put("\r\u{1B}[K", to: STDERR_FILENO)
        state.hasProgress = false
    }

    /// Writes a text.
    ///
    /// - Returns: The reason why it was not written; `nil` if it was.
    private static func put(_ text: String, to descriptor: Int32) -> String? {
        DescriptorOutput.writeAll(text, to: descriptor).map { String(cString: strerror($0)) }
    }
}
