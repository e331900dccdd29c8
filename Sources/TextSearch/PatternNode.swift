/// Node of a regular expression's syntax tree.
indirect enum PatternNode {
    case set(ScalarSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// Greedy, as many repetitions as possible, if `isGreedy`, else lazy.
    case repeated(PatternNode, atLeast: Int, atMost: Int?, isGreedy: Bool)
}

/// Zero-width assertion between two characters.
enum PatternAssertion: Sendable {
    case start
    case end
    case wordBoundary
    case noWordBoundary
    /// Boundary at which a plain text may begin or end; see ``PatternProgram/text(_:)``.
    case textBoundary
}
