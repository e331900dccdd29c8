internal import TextModel
internal import TextRecognition

/// Letters and signs that Tesseract's files write in a form of few uses, with the form that keyboards have.
///
/// These are all in the character sets of `tessdata_fast` whose compatible form is another letter or sign.
enum UsualLetters {
    private static let greek: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{B5}": "\u{3BC}", "\u{3D0}": "\u{3B2}", "\u{3D5}": "\u{3C6}", "\u{3F1}": "\u{3C1}",
    ]

    /// The text with the usual forms.
    static func replaced(in text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.narrowed ?? Self.greek[$0] ?? $0 }))
    }
}

extension ScriptReading {
    /// The reading with the usual form of each letter.
    var withUsualLetters: ScriptReading {
        var reading = self
        for word in reading.words.indices {
            for index in reading.words[word].characters.indices {
                let text = reading.words[word].characters[index].text
                reading.words[word].characters[index].text = UsualLetters.replaced(in: text)
            }
        }
        return reading
    }
}
