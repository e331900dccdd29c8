internal import TextModel

/// Written language and the letters that it uses.
struct Language {
    /// Primary subtag of its BCP 47 code.
    let code: String
    /// Lower-case letters beyond a to z.
    private let letters: String
    /// These letters in both cases.
    private let scalars: Set<Unicode.Scalar>
    private let usesHan: Bool
    private let usesKana: Bool

    private init(_ code: String, _ letters: String = "", usesHan: Bool = false, usesKana: Bool = false) {
        self.code = code
        self.letters = letters
        self.scalars = Set((letters + letters.uppercased()).unicodeScalars)
        self.usesHan = usesHan
        self.usesKana = usesKana
    }

    /// Creates the language of a code such as `en`, `pt-BR` or `zh-Hans`; `nil` for an unknown one.
    init?(_ code: String) {
        let primary = code.primaryLanguageSubtag
        if let known = Self.known.first(where: { $0.code == primary }) {
            self = known
        } else if Script(language: primary) != .latin {
            // The networks know none of its letters: a ``ScriptReader`` may.
            self.init(primary, "")
        } else {
            return nil
        }
    }

    /// Whether text in this language may contain `character`.
    ///
    /// Digits, punctuation, symbols and the letters a to z belong to every language.
    func uses(_ character: Unicode.Scalar) -> Bool {
        // Blocks of Han, then of kana, then CJK punctuation and full-width forms.
        switch character {
        case "\u{2E80}"..."\u{2FDF}", "\u{3400}"..."\u{4DBF}", "\u{4E00}"..."\u{9FFF}", "\u{F900}"..."\u{FAFF}",
            "\u{20000}"..."\u{3FFFF}":
            return self.usesHan
        case "\u{3040}"..."\u{30FF}", "\u{31F0}"..."\u{31FF}", "\u{FF66}"..."\u{FF9F}":
            return self.usesKana
        case "\u{3000}"..."\u{303F}", "\u{FF01}"..."\u{FF65}":
            return self.usesHan
        default:
            guard character.properties.isAlphabetic, !character.isASCII else { return true }
            return self.scalars.contains(character)
        }
    }

    /// Whether `known` contains every letter of the language.
    private func isCovered(by known: Set<String>) -> Bool {
        // One frequent character stands for the whole script.
        if self.usesHan, !known.contains("的") && !known.contains("日") { return false }
        if self.usesKana, !known.contains("の") { return false }
        return self.letters.allSatisfy { known.contains(String($0)) }
    }

    private static let known: [Language] = [
        Language("af", "áèéêëíîïóôöúûý"), Language("az", "çəğıöşüİ"), Language("bs", "ćčđšž"),
        Language("ca", "àçèéíïòóúü"), Language("cs", "áčďéěíňóřšťúůýž"), Language("da", "æøå"),
        Language("de", "äöüß"), Language("en"), Language("es", "áéíñóúü"), Language("et", "äõöüšž"),
        Language("eu", "çñ"), Language("fi", "äöåšž"), Language("fr", "àâæçèéêëîïôœùûüÿ"),
        Language("ga", "áéíóú"), Language("gl", "áéíñóúü"), Language("hr", "ćčđšž"),
        Language("hu", "áéíóöőúüű"), Language("id"), Language("is", "áðéíóúýþæö"), Language("it", "àèéìîòù"),
        Language("ja", usesHan: true, usesKana: true), Language("ku", "çêîşû"), Language("la"),
        Language("lb", "äéëü"), Language("lt", "ąčęėįšųūž"), Language("lv", "āčēģīķļņšūž"),
        Language("mi", "āēīōū"), Language("ms"), Language("mt", "ċġħż"), Language("nb", "æøåéèêóòô"),
        Language("nl", "èéëïóöü"), Language("nn", "æøåéèêóòô"), Language("no", "æøåéèêóòô"),
        Language("oc", "àáçèéíïòóúü"), Language("pl", "ąćęłńóśźż"), Language("pt", "àáâãçéêíóôõúü"),
        Language("qu", "ñ"), Language("rm", "àèéìòù"), Language("ro", "ăâîșț"), Language("sk", "áäčďéíĺľňóôŕšťúýž"),
        Language("sl", "čšž"), Language("sq", "çë"), Language("sv", "äåö"), Language("sw"), Language("tl", "ñ"),
        Language("tr", "çğıöşüİ"), Language("uz"),
        Language("vi", "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"),
        Language("zh", usesHan: true),
    ]

    /// Returns the codes of all languages whose letters `alphabet` contains.
    static func codes(coveredBy alphabet: Alphabet) -> [String] {
        let characters = Set(alphabet.characters)
        return self.known.filter { $0.isCovered(by: characters) }.map(\.code)
    }
}

extension ClassMask {
    /// Creates the mask of the classes that any of `languages` uses.
    init(_ languages: [Language], in alphabet: Alphabet) {
        let labels = alphabet.characters.indices.filter { label in
            guard let scalar = alphabet.characters[label].unicodeScalars.first else { return false }
            return languages.contains { $0.uses(scalar) }
        }
        let allowed = Set(labels)
        var bases: [Int: Int] = [:]
        for label in alphabet.characters.indices where !allowed.contains(label) {
            bases[label] = alphabet.baseLabel(of: label)
        }
        self.init(labels: labels, bases: bases)
    }
}
