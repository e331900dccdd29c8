/// How likely one Latin letter follows another in words.
///
/// The bigrams of words of up to nine letters in the word lists that Debian packages for Danish, Dutch, English (three times),
/// French, German, Italian, Norwegian, Polish, Portuguese, Spanish and Swedish, without their marks;
/// `models/training/bigrams.py` makes the table.
enum LetterBigrams {
    /// For each letter, that before the first one at the head, how likely each other follows, the end of the word first: A is
    /// a probability of 1, and each letter behind it, small ones behind capitals, a factor of exp(-1/4).
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
    /// The same as logarithms.
    private static let logProbabilities: [[Float]] = Self.table.map { row in
        row.withUTF8Buffer { row in
            row.map { Float($0 >= UInt8(ascii: "a") ? $0 - UInt8(ascii: "a") + 26 : $0 - UInt8(ascii: "A")) / -4 }
        }
    }

    /// The logarithm of the probability of a word of the letters a to z, capital or small; others count as none.
    static func logProbability(of word: some Sequence<Character>) -> Float {
        var (sum, before): (Float, Int) = (0, 0)
        for character in word {
            let letter = Self.index(of: character)
            sum += Self.logProbabilities[before][letter]
            before = letter
        }
        return sum + Self.logProbabilities[before][0]
    }

    /// 1 for a, 26 for z, and 0 for what is no letter of them.
    private static func index(of character: Character) -> Int {
        guard let value = character.asciiValue else { return 0 }
        let letter = Int(value | 0x20) - Int(UInt8(ascii: "a"))
        return (0..<26).contains(letter) ? letter + 1 : 0
    }
}
