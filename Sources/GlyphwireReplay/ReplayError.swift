/// Error of playing or recording a session.
package struct ReplayError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Kind of error.
    package enum Code: Sendable, Hashable {
        /// A file or folder does not exist, or access to it is denied.
        case unreadable
        /// A file or folder cannot be written.
        case unwritable
        /// A file is not a session, or has no frame.
        case notASession
        /// A picture cannot be recorded.
        case badPicture
        /// A condition, a range or a limit is invalid.
        case badCondition
        /// The session's own options cannot be combined with others.
        case badConfiguration
        /// The server has stopped answering.
        case unanswered
        /// Streams ended early.
        case streamsFailed
    }

    /// Kind of error.
    package var code: Code
    /// A sentence with the cause, the place and the remedy.
    package var message: String

    /// Creates an error of `code` with a message.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { self.message }

    /// Whether two errors have the same code.
    package static func == (a: ReplayError, b: ReplayError) -> Bool { a.code == b.code }
}
