/// Letter bigram model of Latin words.
///
/// Trained on words of up to nine letters in the word lists that Debian packages for Danish, Dutch, English (three times),
/// French, German, Italian, Norwegian, Polish, Portuguese, Spanish and Swedish, without their marks;
/// `models/training/bigrams.py` makes the table.
enum LetterBigrams {
    /// Encoded log-probabilities: a row for each letter and a column for each that follows.
    ///
    /// The first row is the start of a word, the first column its end. A is a probability of 1, and each letter after it, small
    /// ones after capitals, a factor of exp(-1/4).
    private static let table: [StaticString] = [
        "dKLLMNMNOPSNNMPOLXMJMQOQbXR",
        "ITPNMRROUNUQKMJWPYIKLQOVXUT",
        "SHOXVHYYYJUWKXUIacJPSLZYdOZ",
        "PHcOZJccHKXLOYaIbZNVPNabXRQ",
        "HJVWQFWUWJWVQVUJXcNNTOVVaST",
        "HQSQMQSQVPUSMOIVRZHJMTRVUWS",
        "PIWaUILVXIUVKYVIYdIQMLYYdSY",
        "HIWcTGYOQLWYMVNLZdKNPMYYdVa",
        "LGXZZGYVaJUZPSQIZcNQNLVUcQZ",
        "KLSMNKRMaWSQLOHNRWNJLUPZWcR",
        "LGWTQGVVZPdPPQPITdPORJVacaS",
        "KHVZXHXYUKSOLWOJWdLMMMSUcRa",
        "LHTUOHTSUIVSKSSKTbVNNNSZZOW",
        "JHNVUIWXXJYWRMSILcTPSNYZaQa",
        "IKVOJJSJULWPUXOMYZVKKRUYbTU",
        "ISPOOQRPVRURLMIPNYILMNQNWVT",
        "OHXXXHTXQJXWLXUJLdJOOMYadUa",
        "UWbcdcdddWddYcdbdbcaaAabddd",
        "IHSSOHURWJYQRQNKUaPMNOTXcRT",
        "EMVOXKVXQMVNQRSNOXWMIPUWdUT",
        "HIWVZGXYQJVWSWUKYdLMMOWWdRV",
        "OOONNLPOUMRQKLKTOZIJKWTTVZT",
        "PGWbUFXUXHaWQXRJYdOQUSTcZXd",
        "LGVSSHZXPHbQQWOKVdQNUQbYdLW",
        "IJYLbIWaRHcXQWXNKaYWKPOXLRZ",
        "ENQOOMUOXQUOMMMQOcMKNUURYcR",
        "IHTSTHbTYJXQRRQKWbVWRMcQdMN",
    ]
    /// Decoded log-probabilities.
    private static let logProbabilities: [[Float]] = Self.table.map { row in
        row.withUTF8Buffer { row in
            row.map { Float($0 >= UInt8(ascii: "a") ? $0 - UInt8(ascii: "a") + 26 : $0 - UInt8(ascii: "A")) / -4 }
        }
    }

    /// Returns the log-probability of a word in the letters a to z of either case; others count as word boundaries.
    static func logProbability(of word: some Sequence<Character>) -> Float {
        var (sum, previous): (Float, Int) = (0, 0)
        for character in word {
            let letter = Self.index(of: character)
            sum += Self.logProbabilities[previous][letter]
            previous = letter
        }
        return sum + Self.logProbabilities[previous][0]
    }

    /// Returns 1 for a to 26 for z, and 0 for other characters.
    private static func index(of character: Character) -> Int {
        guard let value = character.asciiValue else { return 0 }
        let letter = Int(value | 0x20) - Int(UInt8(ascii: "a"))
        return (0..<26).contains(letter) ? letter + 1 : 0
    }
}
