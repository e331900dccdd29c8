/// Error of a picture that was not read.
package struct PageError: Error, Sendable {
    /// Reason as a sentence.
    package let reason: String
}
