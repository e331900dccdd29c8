internal import NIOConcurrencyHelpers

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Console output of a run: text on standard output, progress on standard error.
///
/// On a terminal one progress line is updated in place. Elsewhere fewer lines are written, suitable for a log.
package final class Console: Sendable {
    /// Number of progress updates per line that is written without a terminal.
    private static let logInterval = 5

    private struct State {
        var hasProgress = false
        var progressCount = 0
    }

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = NIOLockedValueBox(State())

    /// Creates the process's console.
    package init() {}

    /// Writes a line of output.
    package func output(_ line: String) {
        self.state.withLockedValue { state in
            self.clear(&state)
            Self.put(line + "\n", to: STDOUT_FILENO)
        }
    }

    /// Writes a notice for the user to standard error.
    package func notice(_ line: String) {
        self.state.withLockedValue { state in
            self.clear(&state)
            Self.put(line + "\n", to: STDERR_FILENO)
        }
    }

    /// Reports the progress of the run; called every second.
    package func progress(_ line: String) {
        self.state.withLockedValue { state in
            state.progressCount += 1
            if self.isTerminal {
                Self.put("\r\u{1B}[K\(line)", to: STDERR_FILENO)
                state.hasProgress = true
            } else if state.progressCount % Self.logInterval == 0 {
                Self.put("\(line)\n", to: STDERR_FILENO)
            }
        }
    }

    private func clear(_ state: inout State) {
        guard state.hasProgress else { return }
        Self.put("\r\u{1B}[K", to: STDERR_FILENO)
        state.hasProgress = false
    }

    private static func put(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(count, 0))
        }
    }
}
