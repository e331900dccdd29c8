/// Error of a source that has no frames.
package struct SourceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Kind of error.
    package enum Code: Sendable, Hashable {
        /// A program that the source needs is not installed.
        case missingProgram
        /// The source cannot be reached or opened.
        case unreachable
        /// The source sends something other than pictures.
        case notAPicture
        /// A picture of the source is damaged or too large, which the next one may not be.
        case badPicture
        /// The source ended or broke.
        case ended
    }

    /// Kind of error.
    package var code: Code
    /// A sentence with the cause and the remedy, without credentials.
    package var message: String

    /// Creates an error of `code` with a message.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { self.message }
}
