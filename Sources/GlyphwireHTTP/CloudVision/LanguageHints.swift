internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireServer

/// Language hints of a request, and the levels that support them.
///
/// As with Google, an unknown hint is not an error, and hints never exclude text.
struct LanguageHints: Sendable {
    /// Levels of the server, with the codes of their languages.
    private let levels: [(level: RecognitionLevel, codes: Set<String>)]

    /// Collects the languages of the levels of `reader`.
    init(_ reader: LocalReader) {
        self.levels = reader.levels.map { ($0, Set(reader.languages(of: $0))) }
    }

    /// Level that supports the most of the expected languages.
    ///
    /// - Parameters:
    ///   - wanted: The level for the features.
    ///   - hints: BCP 47 codes, possibly invalid.
    /// - Returns: `wanted` if no other supports more; one of the server's levels, if it has any.
    func level(_ wanted: RecognitionLevel, for hints: [String]) -> RecognitionLevel {
        let codes = Set(hints.map(Self.code))
        func count(_ each: (level: RecognitionLevel, codes: Set<String>)) -> Int {
            codes.intersection(each.codes).count
        }
        guard let best = self.levels.map(count).max() else { return wanted }
        let candidates = self.levels.filter { count($0) == best }.map(\.level)
        return candidates.contains(wanted) ? wanted : candidates.first ?? wanted
    }

    /// Hints that some level supports, as they were written.
    func known(_ hints: [String]) -> [String] {
        hints.filter { hint in self.levels.contains { $0.codes.contains(Self.code(hint)) } }
    }

    /// Language subtag of `en`, `pt-BR` or `zh_Hans`.
    private static func code(_ hint: String) -> String {
        hint.prefix { $0 != "-" && $0 != "_" }.lowercased()
    }
}
