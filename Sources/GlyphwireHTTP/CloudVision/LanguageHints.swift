internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireServer

/// What a server makes of the languages that a request expects.
///
/// As with Google, they are hints: none is an error, and no text is left out for them.
struct LanguageHints: Sendable {
    /// The levels that the server has, with the codes of what they read.
    private let levels: [(level: RecognitionLevel, codes: Set<String>)]

    /// What the levels behind `reader` read.
    init(_ reader: LocalReader) {
        self.levels = reader.levels.map { ($0, Set(reader.languages(of: $0))) }
    }

    /// The level to read at: one that reads the languages that are expected, as far as any does.
    ///
    /// - Parameters:
    ///   - wanted: The level that suits the features.
    ///   - hints: Codes of BCP 47, or anything else.
    /// - Returns: `wanted` if it is as good as any; one that the server has, if it has any.
    func level(_ wanted: RecognitionLevel, for hints: [String]) -> RecognitionLevel {
        let codes = Set(hints.map(Self.code))
        func count(_ each: (level: RecognitionLevel, codes: Set<String>)) -> Int {
            codes.intersection(each.codes).count
        }
        guard let best = self.levels.map(count).max() else { return wanted }
        let candidates = self.levels.filter { count($0) == best }.map(\.level)
        return candidates.contains(wanted) ? wanted : candidates.first ?? wanted
    }

    /// Those of `hints` that some level reads, as they were written.
    func known(_ hints: [String]) -> [String] {
        hints.filter { hint in self.levels.contains { $0.codes.contains(Self.code(hint)) } }
    }

    /// The language of `en`, `pt-BR` or `zh_Hans`.
    private static func code(_ hint: String) -> String {
        hint.prefix { $0 != "-" && $0 != "_" }.lowercased()
    }
}
