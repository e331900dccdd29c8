internal import GlyphwireProtocol
internal import TextSearch

/// Patterns of `--find`.
enum Patterns {
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
