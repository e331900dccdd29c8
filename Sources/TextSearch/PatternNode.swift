/// Node of a regular expression's syntax tree.
indirect enum PatternNode {
    case set(ScalarSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// Greedy, as many repetitions as possible, if `isGreedy`, else lazy.
    case repeated(PatternNode, atLeast: Int, atMost: Int?, isGreedy: Bool)
}
