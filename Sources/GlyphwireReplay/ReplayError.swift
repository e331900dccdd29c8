/// Why a session could not be played or recorded.
package struct ReplayError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of trouble it is.
    package enum Code: Sendable, Hashable {
        /// A file or folder is not there, or may not be read.
        case unreadable
        /// A file or folder cannot be written.
        case unwritable
        /// A file is no session, or holds no frame.
        case notASession
        /// A picture cannot be recorded.
        case badPicture
        /// A condition, a range or a limit cannot be read.
        case badCondition
        /// The session's own options cannot be combined with others.
        case badConfiguration
        /// The server answers nothing any more.
        case unanswered
        /// Streams ended before their time.
        case streamsFailed
    }

    /// What kind of trouble it is.
    package var code: Code
    /// What was wrong, where, and what to do, in a sentence.
    package var message: String

    /// An error of `code`, said in a sentence.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { self.message }

    /// Errors are equal when their codes are.
    package static func == (a: ReplayError, b: ReplayError) -> Bool { a.code == b.code }
}
