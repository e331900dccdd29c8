/// Form in which the characters of a pattern and of a text are compared.
enum Folding: Sendable {
    /// That of regular expressions.
    case exact
    /// That of regular expressions that ignore case.
    case caseless
    /// That of plain texts, which ignore case, joiners, and differences as between CO₂ and CO2.
    case compatible

    /// The scalars of `text` in this form, which canonically equivalent texts (UAX #15) have in common.
    func scalars(of text: String) -> [Unicode.Scalar] {
        // Most characters, for which the rest would change nothing but their case.
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return Array((self == .exact ? text : text.lowercased()).unicodeScalars)
        }
        let usual = String(String.UnicodeScalarView(text.unicodeScalars.map(\.usualForm))).composed
        switch self {
        case .exact: return Array(usual.unicodeScalars)
        case .caseless: return Array(usual.caseFolded.composed.unicodeScalars)
        case .compatible:
            let compatible = usual.unicodeScalars.map(\.compatibleForm).joined()
            return Array(
                compatible.caseFolded.composed.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
            )
        }
    }

    /// The scalars that a character class may name to match `scalar`, itself among them.
    func variants(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        guard self == .caseless else { return [scalar] }
        let mappings = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
        let cases = mappings.map(\.unicodeScalars).filter { $0.count == 1 }.compactMap(\.first)
        return [scalar] + cases.filter { $0 != scalar }
    }
}

extension String {
    /// The text in normalization form C.
    var composed: String {
        // Nothing below U+0300 has another composed form (DerivedNormalizationProps.txt, NFC_QC).
        if self.unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return self }
        // The public property is Foundation's, which would add ICU to what links GlyphwireProtocol.
        return String(decoding: self._nfcCodeUnits, as: UTF8.self)
    }

    /// The text without differences of case: ß as ss, ς as σ, and the Turkish İ and ı as i.
    ///
    /// Lower, upper and lower case again make Unicode's full case folding (CaseFolding.txt, C and F), but for ı and İ.
    fileprivate var caseFolded: String {
        var folded = String.UnicodeScalarView()
        for scalar in self.lowercased().uppercased().lowercased().unicodeScalars {
            // An İ is an i with a dot above in lower case.
            if scalar != "\u{307}" || folded.last != "i" { folded.append(scalar) }
        }
        return String(folded)
    }
}
