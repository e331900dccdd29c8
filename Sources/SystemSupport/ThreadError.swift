/// Error of a thread that the system cannot start.
package struct ThreadError: Error, Sendable, CustomStringConvertible {
    /// The system's reason.
    package let reason: String

    /// The error as a sentence.
    package var description: String { "the system cannot start another thread: \(self.reason)" }
}
