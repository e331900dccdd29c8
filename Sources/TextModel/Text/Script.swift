/// Writing system, by its ISO 15924 name.
package enum Script: String, CaseIterable, Sendable {
    case latin = "Latn"
    case greek = "Grek"
    case cyrillic = "Cyrl"
    case armenian = "Armn"
    case hebrew = "Hebr"
    case arabic = "Arab"
    case devanagari = "Deva"
    case bengali = "Beng"
    case tamil = "Taml"
    case telugu = "Telu"
    case thai = "Thai"
    case georgian = "Geor"
    case hangul = "Hang"
    case bopomofo = "Bopo"
    case han = "Hani"
    /// Kana, alone or with Han.
    case japanese = "Jpan"

    /// The script of a letter, with kana as Japanese; `nil` for other characters.
    package init?(_ scalar: Unicode.Scalar) {
        guard let block = Self.blocks.first(where: { $0.range.contains(scalar.value) }), scalar.properties.isAlphabetic
        else { return nil }
        self = block.script
    }

    /// The script of most letters of `text`; `nil` if it has no letters.
    ///
    /// One kana makes all Han characters Japanese. Of scripts with equally many letters the first one listed here is
    /// returned.
    package static func most(of text: String) -> Script? {
        var counts = [Int](repeating: 0, count: Self.allCases.count)
        for scalar in text.unicodeScalars {
            if let script = Script(scalar) { counts[Self.index(of: script)] += 1 }
        }
        if counts[Self.index(of: .japanese)] > 0 {
            counts[Self.index(of: .japanese)] += counts[Self.index(of: .han)]
            counts[Self.index(of: .han)] = 0
        }
        guard let most = counts.max(), most > 0, let index = counts.firstIndex(of: most) else { return nil }
        return Self.allCases[index]
    }

    /// The script of a language, by its BCP 47 code; Latin for codes that are not known.
    package init(language code: String) {
        switch code.primaryLanguageSubtag {
        case "zh", "yue", "wuu": self = .han
        case "ja": self = .japanese
        case "ko": self = .hangul
        case "el": self = .greek
        case "be", "bg", "kk", "ky", "mk", "mn", "ru", "sr", "tg", "tt", "uk": self = .cyrillic
        case "hy": self = .armenian
        case "ka": self = .georgian
        case "th": self = .thai
        case "he", "yi": self = .hebrew
        case "ar", "fa", "ps", "sd", "ug", "ur": self = .arabic
        case "hi", "mr", "ne", "sa": self = .devanagari
        case "as", "bn": self = .bengali
        case "ta": self = .tamil
        case "te": self = .telugu
        default: self = .latin
        }
    }

    /// Whether lines begin at the right.
    package var runsLeft: Bool { self == .arabic || self == .hebrew }

    private static func index(of script: Script) -> Int { Self.allCases.firstIndex(of: script) ?? 0 }

    /// Blocks of the Unicode Standard; only the letters in them count.
    private static let blocks: [(range: ClosedRange<UInt32>, script: Script)] = [
        (0x0041...0x024F, .latin), (0x1E00...0x1EFF, .latin), (0xFF21...0xFF5A, .latin), (0xFB00...0xFB06, .latin),
        (0x4E00...0x9FFF, .han), (0x3400...0x4DBF, .han), (0x2E80...0x2FDF, .han), (0x3005...0x3007, .han),
        (0xF900...0xFAFF, .han), (0x20000...0x3FFFF, .han), (0x3041...0x30FF, .japanese), (0x31F0...0x31FF, .japanese),
        (0xFF66...0xFF9F, .japanese), (0x0370...0x03FF, .greek), (0x1F00...0x1FFF, .greek),
        (0x0400...0x052F, .cyrillic),
        (0x1C80...0x1C8F, .cyrillic), (0x0531...0x0587, .armenian), (0x0590...0x05FF, .hebrew),
        (0x0600...0x06FF, .arabic), (0x0750...0x077F, .arabic), (0xFB50...0xFEFC, .arabic),
        (0x0900...0x097F, .devanagari),
        (0x0980...0x09FF, .bengali), (0x0B80...0x0BFF, .tamil), (0x0C00...0x0C7F, .telugu),
        (0x0E00...0x0E7F, .thai), (0x10A0...0x10FF, .georgian), (0x1100...0x11FF, .hangul), (0x3130...0x318F, .hangul),
        (0xAC00...0xD7FF, .hangul), (0x3100...0x312F, .bopomofo), (0x31A0...0x31BF, .bopomofo),
    ]
}
