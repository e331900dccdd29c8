/// Error of a sink of events that cannot begin.
package struct EventError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence with the cause and the remedy.
    package var message: String

    /// Creates an error with a message.
    package init(_ message: String) {
        self.message = message
    }

    /// The message.
    package var description: String { self.message }
}
