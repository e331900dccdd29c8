/// Letters of Greek and Cyrillic that look like Latin ones, and these.
enum Homoglyphs {
    private static let latin = Set("ABCEHIJKMNOPSTXYZaceijknoprsuvxy")
    private static let greek = Set("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχ")
    private static let cyrillic = Set("АВЕЅІЈКМНОРСТУХаеѕіјорсух")

    /// Whether all letters of a text are such, so that "Тах" may as well be "Tax".
    static func areAll(lettersOf text: some StringProtocol) -> Bool {
        text.allSatisfy {
            !$0.isLetter || self.latin.contains($0) || self.greek.contains($0) || self.cyrillic.contains($0)
        }
    }
}
