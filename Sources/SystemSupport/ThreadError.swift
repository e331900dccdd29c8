/// Error of a thread that the system cannot start.
package struct ThreadError: Error, Sendable, CustomStringConvertible {
    /// The name of the thread.
    package let name: String
    /// The system's reason.
    package let reason: String

    /// The error as a sentence, with what can be done.
    package var description: String {
        "the system cannot start the thread \"\(self.name)\" (\(self.reason)): raise this user's limit of threads (ulimit -u, or "
            + "TasksMax of systemd)"
    }
}
