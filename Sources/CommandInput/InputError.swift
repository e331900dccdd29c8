/// Error of a file that a command cannot use, with a message for the user.
package struct InputError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The message.
    package let description: String

    /// Creates an error with a message.
    package init(_ description: String) { self.description = description }
}
