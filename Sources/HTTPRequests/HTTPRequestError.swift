/// Error of a request over HTTP.
package struct HTTPRequestError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Kind of error.
    package enum Code: Sendable, Hashable {
        /// The address cannot be requested.
        case badAddress
        /// The server has not answered in time.
        case noAnswer
        /// The server answers something else than was asked for.
        case badAnswer
    }

    /// Kind of error.
    package var code: Code
    /// A clause with the cause, without credentials.
    package var message: String

    /// Creates an error of `code` with a message.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { self.message }
}
