/// Node of a regular expression's syntax tree.
indirect enum PatternNode {
    case set(ScalarSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// Greedy, as many repetitions as possible, if `isGreedy`, else lazy.
    case repeated(PatternNode, atLeast: Int, atMost: Int?, isGreedy: Bool)
}

/// Zero-width assertion between two characters.
enum PatternAssertion: Sendable {
    case start
    case end
    case wordBoundary
    case noWordBoundary
    /// Boundary at which a plain text may begin or end; see ``PatternProgram/text(_:)``.
    case textBoundary
}

/// Character class of a regular expression.
struct ScalarSet: Sendable {
    /// Predefined character class.
    enum Kind: Sendable {
        case digit, word, space
    }

    var ranges: [ClosedRange<UInt32>] = []
    /// Predefined classes in the set, each as it is or inverted.
    var kinds: [(kind: Kind, isInverted: Bool)] = []
    /// Whether the set is complemented.
    var isInverted = false

    /// The set of all characters.
    static let any = ScalarSet(isInverted: true)

    static func one(_ scalar: Unicode.Scalar) -> ScalarSet { ScalarSet(ranges: [scalar.value...scalar.value]) }

    static func all(_ kind: Kind, isInverted: Bool) -> ScalarSet { ScalarSet(kinds: [(kind, isInverted)]) }

    /// Whether the set contains a character in any of its case `forms`.
    func contains(_ forms: SearchedText.Forms, ignoresCase: Bool) -> Bool {
        let isIn =
            self.holds(forms.own)
            || ignoresCase && (self.holds(forms.lowercase) || self.holds(forms.uppercase))
        return isIn != self.isInverted
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        self.ranges.contains { $0.contains(scalar.value) }
            || self.kinds.contains { $0.isInverted != $0.kind.contains(scalar) }
    }
}

extension ScalarSet.Kind {
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .digit: ("0"..."9").contains(scalar)
        case .word: scalar.isWordPart
        case .space: scalar.properties.isWhitespace
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter, a digit or an underscore of any script.
    var isWordPart: Bool {
        if self.isASCII {
            return ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self) || self == "_"
        }
        return self.properties.isAlphabetic || self.properties.numericType == .decimal
    }

    /// Whether it is part of a word in a script that puts spaces between words.
    var isPartOfSpacedWord: Bool {
        switch self {
        case "\u{0E00}"..."\u{0EFF}", "\u{2E80}"..."\u{31FF}", "\u{3400}"..."\u{9FFF}", "\u{F900}"..."\u{FAFF}",
            "\u{FF66}"..."\u{FF9F}", "\u{20000}"..."\u{3FFFF}":
            false
        default: self.isWordPart
        }
    }
}
