/// Character class of a regular expression.
struct ScalarSet: Sendable {
    /// Predefined character class.
    enum Kind: Sendable {
        case digit, word, space
    }

    var ranges: [ClosedRange<UInt32>] = []
    /// Predefined classes in the set, each as it is or inverted.
    var kinds: [(kind: Kind, isInverted: Bool)] = []
    /// Characters in the set that are several scalars, such as a letter with a mark that Unicode does not compose.
    var clusters: [[Unicode.Scalar]] = []
    /// Whether the set is complemented.
    var isInverted = false

    /// The set of all characters.
    static let any = ScalarSet(isInverted: true)

    static func one(_ scalar: Unicode.Scalar) -> ScalarSet { ScalarSet(ranges: [scalar.value...scalar.value]) }

    /// The set of one character.
    static func character(_ scalars: [Unicode.Scalar]) -> ScalarSet {
        scalars.count == 1 ? .one(scalars[0]) : ScalarSet(clusters: [scalars])
    }

    static func all(_ kind: Kind, isInverted: Bool) -> ScalarSet { ScalarSet(kinds: [(kind, isInverted)]) }

    /// Whether it names what does not match, and so matches whole characters with all their marks.
    var isExclusive: Bool { self.isInverted || self.kinds.contains { $0.isInverted } }

    /// Adds the members of a set that is not complemented.
    mutating func formUnion(_ other: ScalarSet) {
        self.ranges += other.ranges
        self.kinds += other.kinds
        self.clusters += other.clusters
    }

    /// Whether one of `variants` is named in the set, complemented or not.
    func names(anyOf variants: [Unicode.Scalar]) -> Bool { variants.contains { self.names($0) } }

    private func names(_ scalar: Unicode.Scalar) -> Bool {
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
