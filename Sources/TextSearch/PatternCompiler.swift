/// Compiler of all patterns of a configuration, whose work is bounded.
///
/// A pattern that several regions have is compiled once.
package struct PatternCompiler {
    /// Maximum number of patterns of a `find` (Protocol.md, *Options*).
    package static let maxPatterns = 32
    /// Maximum number of states of all different patterns: those of one `find` of the maximum size.
    private static let maxSteps = Self.maxPatterns * PatternProgram.maxSteps

    private var patterns: [[Unicode.Scalar]: TextPattern] = [:]
    private var stepCount = 0

    /// Creates a compiler that has compiled nothing.
    package init() {}

    /// Compiles a pattern, unless it has been.
    ///
    /// - Parameter source: The pattern as written.
    /// - Returns: The pattern.
    /// - Throws: ``PatternError`` if it is faulty, or too much together with those before it.
    package mutating func pattern(_ source: String) throws(PatternError) -> TextPattern {
        let scalars = Array(source.unicodeScalars)
        if let pattern = self.patterns[scalars] { return pattern }
        let pattern = try TextPattern(source)
        self.stepCount += pattern.program.steps.count
        guard self.stepCount <= Self.maxSteps else {
            throw PatternError("with it, the patterns take more than \(Self.maxSteps) steps, repetitions written out")
        }
        self.patterns[scalars] = pattern
        return pattern
    }
}
