/// Error of a file that cannot be read.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The path of the file.
    package let path: String
    /// The reason, such as that of the system.
    package let reason: String
    /// Whether there is no such file.
    package let isMissing: Bool

    /// Creates the error of the file at `path`.
    package init(path: String, reason: String, isMissing: Bool = false) {
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
    }

    /// The error as a sentence.
    package var description: String { "\(self.path) cannot be read: \(self.reason)" }
}
