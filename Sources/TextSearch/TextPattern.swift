/// Text or regular expression to search for in lines of text.
///
/// `EXIT` matches a whole word in any case; `/[A-Z]{2} ?\d+/` is a regular expression, and `/exit/i` one that ignores
/// case. Equivalent characters match each other, and matches are whole characters (Protocol.md, rules S8 and S9). The
/// time to find a match is linear in the text for every pattern: there are no back-references and no look-around
/// assertions.
public struct TextPattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as written.
    public let source: String
    package let program: PatternProgram

    /// Maximum length of a pattern in Unicode scalars.
    package static let maxScalars = 256

    /// Compiles a pattern.
    ///
    /// - Parameter source: A text, or a regular expression between two slashes, optionally followed by an `i`.
    /// - Throws: ``PatternError`` if it is empty, too long or not a regular expression.
    public init(_ source: String) throws(PatternError) {
        guard source.unicodeScalars.count <= Self.maxScalars else {
            throw PatternError("it is longer than \(Self.maxScalars) characters")
        }
        self.program = try Self.program(of: source)
        self.source = source
    }

    /// The pattern as written.
    public var description: String { self.source }

    /// Whether two patterns have the same source.
    public static func == (left: TextPattern, right: TextPattern) -> Bool { left.source == right.source }

    /// Hashes the source.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.source) }

    private static func program(of source: String) throws(PatternError) -> PatternProgram {
        guard let expression = Self.expression(in: source) else { return try .text(source) }
        let folding = expression.ignoresCase ? Folding.caseless : .exact
        var parser = PatternParser(expression.body, folding: folding)
        return try PatternProgram(try parser.parse(), folding: folding)
    }

    /// The expression between the slashes; `nil` for a plain text.
    private static func expression(in source: String) -> (body: String, ignoresCase: Bool)? {
        // By scalars: an expression may begin with a mark, which would be one character with the slash.
        let scalars = source.unicodeScalars
        let ignoresCase = scalars.suffix(2).elementsEqual("/i".unicodeScalars)
        let body = scalars.dropLast(ignoresCase ? 2 : 1)
        guard scalars.first == "/", ignoresCase || scalars.last == "/", body.count > 1 else { return nil }
        return (String(body.dropFirst()), ignoresCase)
    }
}
