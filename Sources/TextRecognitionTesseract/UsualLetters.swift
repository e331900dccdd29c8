internal import TextModel
internal import TextRecognition

/// Letters and signs that Tesseract's files write in a form of few uses, with the form that keyboards have.
///
/// These are all in the character sets of `tessdata_fast` whose compatible form is another letter or sign.
enum UsualLetters {
    /// Greek letters that are mathematical symbols.
    private static let greek: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{B5}": "\u{3BC}", "\u{3D0}": "\u{3B2}", "\u{3D5}": "\u{3C6}", "\u{3F1}": "\u{3C1}",
    ]

    /// Letters with a cedilla, as which Romanian ones with a comma were written before Unicode 3.0 had these.
    private static let romanian: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{15E}": "\u{218}", "\u{15F}": "\u{219}", "\u{162}": "\u{21A}", "\u{163}": "\u{21B}",
    ]

    /// The text with the usual forms of a language, by the name of its file.
    static func replaced(in text: String, of language: String) -> String {
        let own = language == "ron" ? Self.romanian : Self.greek
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.narrowed ?? own[$0] ?? $0 }))
    }
}

extension ScriptReading {
    /// Returns the reading with the usual form of each letter in a language, by the name of its file.
    func withUsualLetters(of language: String) -> ScriptReading {
        var reading = self
        for word in reading.words.indices {
            for index in reading.words[word].characters.indices {
                let text = reading.words[word].characters[index].text
                reading.words[word].characters[index].text = UsualLetters.replaced(in: text, of: language)
            }
        }
        return reading
    }
}
