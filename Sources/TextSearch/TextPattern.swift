/// A text or a regular expression that is looked for in lines of text.
///
/// `EXIT` is found as a word of its own, in small letters and capitals; `/[A-Z]{2} ?\d+/` is a regular expression, and
/// `/exit/i` one that does not care about capitals. Looking for it takes time in proportion to the text, whatever the
/// pattern: there are no back-references and no look-around.
public struct TextPattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as it was written.
    public let source: String
    package let program: PatternProgram

    /// How long a pattern may be, in Unicode scalars.
    package static let maxScalars = 256

    /// Compiles a pattern.
    ///
    /// - Parameter source: A text, or a regular expression between two slashes, behind the second perhaps an `i`.
    /// - Throws: ``PatternError`` if it is empty, too long or no regular expression.
    public init(_ source: String) throws(PatternError) {
        guard source.unicodeScalars.count <= Self.maxScalars else {
            throw PatternError("it is longer than \(Self.maxScalars) characters")
        }
        self.program = try Self.program(of: source)
        self.source = source
    }

    /// The pattern as it was written.
    public var description: String { self.source }

    /// Patterns are the same if they are written the same.
    public static func == (left: TextPattern, right: TextPattern) -> Bool { left.source == right.source }

    /// Hashes the source, by which patterns are compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.source) }

    private static func program(of source: String) throws(PatternError) -> PatternProgram {
        guard let expression = Self.expression(in: source) else { return try .text(source) }
        var parser = PatternParser(expression.body)
        return try PatternProgram(try parser.parse(), ignoresCase: expression.ignoresCase)
    }

    /// What stands between the slashes of a regular expression; `nil` for a text.
    private static func expression(in source: String) -> (body: Substring, ignoresCase: Bool)? {
        let ignoresCase = source.hasSuffix("/i")
        let body = source.dropLast(ignoresCase ? 2 : 1)
        guard source.hasPrefix("/"), ignoresCase || source.hasSuffix("/"), body.count > 1 else { return nil }
        return (body.dropFirst(), ignoresCase)
    }
}
