internal import GlyphwireProtocol
internal import TextModel

/// Guess of a text's language from its letters, often only by script.
struct LanguageGuess: Sendable {
    /// Language codes of the scripts.
    private let codes: [Script: String]
    /// Language code of most letters of the whole text; `nil` without letters.
    let main: String?

    /// Guesses the languages of a text.
    ///
    /// - Parameters:
    ///   - text: The whole text of a picture.
    ///   - expected: The candidate languages as BCP 47 codes, if known.
    init(_ text: String, expected: [String] = []) {
        var counts: [Script: Int] = [:]
        for scalar in text.unicodeScalars {
            if let script = Script(scalar) { counts[script, default: 0] += 1 }
        }
        var codes: [Script: String] = [:]
        for script in Script.allCases {
            codes[script] = script.language
            let candidates = expected.filter { Script(language: $0) == script }
            if candidates.count == 1 { codes[script] = candidates[0] }
        }
        // With kana, or if Japanese was expected and Chinese was not, Chinese characters are Japanese.
        let expectsJapanese = expected.contains { Script(language: $0) == .japanese }
        let expectsChinese = expected.contains { Script(language: $0) == .han }
        if counts[.japanese, default: 0] > 0 || expectsJapanese && !expectsChinese { codes[.han] = codes[.japanese] }
        self.codes = codes
        var votes: [String: Int] = [:]
        for script in Script.allCases {
            if let code = codes[script], let count = counts[script] { votes[code, default: 0] += count }
        }
        self.main = votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// Language code of a word of the text; `nil` without letters.
    func language(of word: String) -> String? {
        let scripts = word.unicodeScalars.compactMap { Script($0) }
        return (scripts.first { $0 == .japanese } ?? scripts.first).flatMap { self.codes[$0] }
    }
}

extension Script {
    /// Language implied by the script.
    fileprivate var language: String {
        switch self {
        case .han, .bopomofo: "zh"
        case .japanese: "ja"
        case .hangul: "ko"
        case .greek: "el"
        case .armenian: "hy"
        case .georgian: "ka"
        case .thai: "th"
        case .latin, .cyrillic, .hebrew, .arabic, .devanagari, .bengali, .tamil, .telugu: "und-\(self.rawValue)"
        }
    }
}
