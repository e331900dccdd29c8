/// Error of a pattern that cannot be compiled.
public struct PatternError: Error, Sendable, Equatable {
    /// The rest of a sentence that begins with the pattern, such as "it ends too early".
    public let reason: String

    init(_ reason: String) { self.reason = reason }
}
