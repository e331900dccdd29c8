internal import GlyphwireProtocol
internal import TextSearch

/// Patterns of `--find`.
enum Patterns {
    /// What to say of a search that is not complete (Protocol.md, rule S7).
    static let incompleteSearch = "the patterns take too many steps, or match too often: simplify them"

    /// Compiles patterns.
    ///
    /// - Throws: ``Failure`` that names the first faulty one.
    static func compile(_ sources: [String]) throws(Failure) -> [TextPattern] {
        try sources.map { source throws(Failure) in
            do throws(PatternError) {
                return try TextPattern(source)
            } catch {
                throw Failure(WireError(pattern: source, error).message)
            }
        }
    }
}
