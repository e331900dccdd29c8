/// Zero-width assertion between two characters.
enum PatternAssertion: Sendable {
    case start
    case end
    case wordBoundary
    case noWordBoundary
    /// Boundary at which a plain text may begin or end; see ``PatternProgram/text(_:)``.
    case textBoundary
}
