/// Result of writing to an output.
package struct OutputResult: Sendable, Equatable {
    /// Reason for which an output does not take bytes.
    package enum Failure: Error, Sendable, Equatable {
        /// The reader has closed its end, and nothing is taken any more.
        case closed
        /// It takes nothing now, such as a full disk.
        case other(String)
    }

    /// Number of bytes that were taken.
    package var byteCount: Int
    /// Why the others were not; `nil` if all were taken.
    package var failure: Failure?

    /// Creates a result.
    package init(byteCount: Int, failure: Failure? = nil) {
        self.byteCount = byteCount
        self.failure = failure
    }
}
