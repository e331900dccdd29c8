extension Unicode.Scalar {
    /// Letter of A to Z, in the same case, of which a Latin letter is a variant: e of é, O of Ø, i of ı; `nil` for others.
    ///
    /// Unicode names variants after it (The Unicode Standard, section 4.8): LATIN SMALL LETTER E WITH ACUTE.
    var baseLetter: String? {
        // Names of thousands of ideographs would take milliseconds.
        guard !self.isASCII, self.properties.isCased, let name = self.properties.name, name.hasPrefix("LATIN ")
        else { return nil }
        let words = name.split(separator: " ")
        guard words.contains("LETTER"), let letter = words.first(where: { $0.count == 1 }) else { return nil }
        return self.properties.isLowercase ? letter.lowercased() : String(letter)
    }
}

extension String {
    /// The text in small letters, without their marks; see ``Swift/Unicode/Scalar/baseLetter``.
    var foldedToBaseLetters: String {
        // The small letter of İ is i with a dot above.
        self.unicodeScalars.map { $0.baseLetter ?? String($0) }.joined().lowercased()
    }
}
