/// What the letters of a text tell about its language, which is often no more than its script.
struct LanguageGuess: Sendable {
    /// A script, by what it tells.
    private enum Script: CaseIterable {
        case latin
        case han
        case kana
        case hangul
        case greek
        case cyrillic

        init?(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x2E80...0x2FDF, 0x3005, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
                self = .han
            case 0x3040...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .kana
            case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: self = .hangul
            case 0x0370...0x03FF, 0x1F00...0x1FFF: self = .greek
            case 0x0400...0x052F: self = .cyrillic
            case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF, 0xFF21...0xFF3A, 0xFF41...0xFF5A:
                self = .latin
            default: return nil
            }
        }

        /// The script of a language, by its code of BCP 47.
        init(language code: String) {
            switch code.prefix(while: { $0 != "-" && $0 != "_" }).lowercased() {
            case "zh", "yue", "wuu": self = .han
            case "ja": self = .kana
            case "ko": self = .hangul
            case "el": self = .greek
            case "be", "bg", "kk", "ky", "mk", "mn", "ru", "tg", "uk": self = .cyrillic
            default: self = .latin
            }
        }
    }

    private let codes: [Script: String]
    /// The code of the language that most letters of the whole text belong to; `nil` for a text without letters.
    let main: String?

    /// A guess at the languages of a whole text.
    ///
    /// - Parameters:
    ///   - text: All of a picture's text.
    ///   - expected: The languages to choose from, if they are known; codes of BCP 47.
    init(_ text: String, expected: [String] = []) {
        var counts: [Script: Int] = [:]
        for scalar in text.unicodeScalars {
            if let script = Script(scalar) { counts[script, default: 0] += 1 }
        }
        var codes: [Script: String] = [
            .latin: "und-Latn", .han: "zh", .kana: "ja", .hangul: "ko", .greek: "el", .cyrillic: "und-Cyrl",
        ]
        for script in Script.allCases {
            let candidates = expected.filter { Script(language: $0) == script }
            if candidates.count == 1 { codes[script] = candidates[0] }
        }
        // Where there is kana, or Japanese was expected and Chinese was not, Chinese characters are Japanese.
        let expectsJapanese = expected.contains { Script(language: $0) == .kana }
        let expectsChinese = expected.contains { Script(language: $0) == .han }
        if counts[.kana, default: 0] > 0 || expectsJapanese && !expectsChinese { codes[.han] = codes[.kana] }
        self.codes = codes
        var votes: [String: Int] = [:]
        for script in Script.allCases {
            if let code = codes[script], let count = counts[script] { votes[code, default: 0] += count }
        }
        self.main = votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// The code of the language of a word of the text; `nil` for one without letters.
    func language(of word: String) -> String? {
        let scripts = word.unicodeScalars.compactMap { Script($0) }
        return (scripts.first { $0 == .kana } ?? scripts.first).flatMap { self.codes[$0] }
    }
}
