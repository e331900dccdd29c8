/// A picture that could not be read, or an option that an engine cannot honour.
public struct RecognitionError: Error, Sendable, Equatable {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The engine was loaded without the level.
        case levelUnavailable
        /// The level's models cannot read the language.
        case unsupportedLanguage
        /// A custom word has a character that the level's models cannot read.
        case unreadableWord
        /// A model failed.
        case inferenceFailed
    }

    /// The kind of failure.
    public let code: Code
    /// What was wrong and what to do, in a sentence.
    public let message: String

    /// An error of `code`, explained in a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Errors are equal when their codes are.
    public static func == (a: RecognitionError, b: RecognitionError) -> Bool { a.code == b.code }
}
