/// Alphabet of a recogniser: the character of each of its classes.
public struct Alphabet: Sendable {
    /// Class of the CTC blank.
    public static let blank = 0
    /// Character of each class; empty for the blank.
    public let characters: [String]
    /// Number of common classes, which come first; all of them in the order of a model file.
    ///
    /// See ``commonFirst``.
    public let commonCount: Int
    /// Class of the space.
    let space: Int
    /// First class of each character.
    private let labels: [String: Int]
    /// Confusable classes of each class; see ``ConfusableSet``.
    private let confusables: [[Int]]
    /// Codes of the languages that it can write, in alphabetical order.
    public var languages: [String] { Language.codes(coveredBy: self) }

    /// Creates the alphabet whose classes are the blank, the lines of `list`, and the space.
    public init(list: String) {
        var characters = [""]
        // The ideographic space separates words as the ASCII one does.
        characters += list.split(separator: "\n", omittingEmptySubsequences: true).map {
            $0 == "\u{3000}" ? " " : String($0)
        }
        characters.append(" ")
        self.init(characters, space: characters.count - 1, commonCount: characters.count)
    }

    private init(_ characters: [String], space: Int, commonCount: Int) {
        self.characters = characters
        self.space = space
        self.commonCount = commonCount
        let labels = Dictionary(zip(characters, characters.indices)) { first, _ in first }
        self.labels = labels
        self.confusables = ConfusableSet.classes(among: labels, count: characters.count)
    }

    /// Number of classes, including the blank.
    public var count: Int { self.characters.count }

    /// Whether a class stands for `character`.
    public func contains(_ character: String) -> Bool { self.labels[character] != nil }

    /// Returns the first class of `character`; `nil` where it has none.
    func label(of character: String) -> Int? { self.labels[character] }

    /// Returns the classes that a class is confused with; see ``ConfusableSet``.
    func confusables(of label: Int) -> [Int] { self.confusables[label] }

    /// Whether a network with so many output classes can have this alphabet: all of them, or the common ones.
    func matches(classCount: Int) -> Bool { classCount == self.count || classCount == self.commonCount }

    /// Whether a class is a space.
    func isSpace(_ label: Int) -> Bool { self.characters[label] == " " }
}

extension Alphabet {
    /// Common code points: those of most lines.
    ///
    /// Letters, digits, punctuation and currency signs below U+2190, CJK punctuation, and the full-width forms of ASCII.
    /// `models/training/recognizer.py` has the same ranges.
    private static let common: [Range<UInt32>] = [0..<0x2190, 0x3000..<0x3020, 0xFF01..<0xFF5F]

    /// Alphabet with its common classes first, and the former class at each place; the blank stays class 0.
    public var commonFirst: (alphabet: Alphabet, order: [Int]) {
        let common = self.characters.indices.filter { self.isCommon($0) }
        let order = common + self.characters.indices.filter { !self.isCommon($0) }
        let alphabet = Alphabet(
            order.map { self.characters[$0] },
            space: order.firstIndex(of: self.space) ?? self.space,
            commonCount: common.count
        )
        return (alphabet, order)
    }

    private func isCommon(_ label: Int) -> Bool {
        guard let scalar = self.characters[label].unicodeScalars.first else { return true }
        return Self.common.contains { $0.contains(scalar.value) }
    }
}
