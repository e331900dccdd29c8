/// Alphabet of a recognizer: the character of each of its classes.
public struct Alphabet: Sendable {
    /// Class of the CTC blank.
    public static let blank = 0
    /// Character of each class; empty for the blank.
    public let characters: [String]
    /// Number of common classes, which come first; networks may give the logits of these alone.
    public let commonCount: Int
    /// Class of the space.
    let space: Int
    /// First class of each character.
    private let labels: [String: Int]
    /// Confusable classes of each class; see ``ConfusableSet``.
    private let confusables: [[Int]]
    /// Classes of a letter of A to Z and of its variants, by the class of the letter.
    private let variants: [Int: [Int]]
    /// Codes of the languages that it can write, in alphabetical order; computed at each call, which takes milliseconds.
    public var languages: [String] { Language.codes(coveredBy: self) }

    /// Creates the alphabet of a model.
    ///
    /// - Parameter list: The characters of the common classes after the blank, one a line, without the space, which follows
    ///   them. After an empty line come those of the others.
    public init(list: String) {
        let lines = list.split(separator: "\n", omittingEmptySubsequences: false)
        let common = lines.prefix { !$0.isEmpty }
        let others = lines.dropFirst(common.count).filter { !$0.isEmpty }
        // The ideographic space separates words as the ASCII one does.
        let characters = [common[...], [" "], others[...]].joined().map { $0 == "\u{3000}" ? " " : String($0) }
        self.init([""] + characters, space: common.count + 1, commonCount: common.count + 2)
    }

    /// Creates an alphabet of distinct characters, a space among them.
    init(characters: [String]) {
        let space = characters.firstIndex(of: " ").map { $0 + 1 } ?? Alphabet.blank
        self.init([""] + characters, space: space, commonCount: characters.count + 1)
    }

    private init(_ characters: [String], space: Int, commonCount: Int) {
        self.characters = characters
        self.space = space
        self.commonCount = commonCount
        let labels = Dictionary(zip(characters, characters.indices)) { first, _ in first }
        self.labels = labels
        self.confusables = ConfusableSet.classes(among: labels, count: characters.count)
        self.variants = Self.variants(among: characters, labels)
    }

    /// Returns the classes of each letter of A to Z that has variants, and those of its variants.
    private static func variants(among characters: [String], _ labels: [String: Int]) -> [Int: [Int]] {
        var variants: [Int: [Int]] = [:]
        for (label, character) in characters.enumerated() {
            guard let base = character.unicodeScalars.first?.baseLetter.flatMap({ labels[$0] }) else { continue }
            variants[base, default: [base]].append(label)
        }
        return variants
    }

    /// Number of classes, including the blank.
    public var count: Int { self.characters.count }

    /// Whether a class stands for `character`.
    public func contains(_ character: String) -> Bool { self.labels[character] != nil }

    /// Returns the first class of `character`; `nil` where it has none.
    func label(of character: String) -> Int? { self.labels[character] }

    /// Returns the class of a character's base letter; `nil` for other characters.
    func baseLabel(of label: Int) -> Int? {
        self.characters[label].unicodeScalars.first?.baseLetter.flatMap { self.labels[$0] }
    }

    /// Returns the classes of the same letter with other accents or none: Á, Å and A for Ä.
    func variants(of label: Int) -> [Int] {
        self.variants[self.baseLabel(of: label) ?? label, default: []].filter { $0 != label }
    }

    /// Returns the classes that a class is confused with; see ``ConfusableSet``.
    func confusables(of label: Int) -> [Int] { self.confusables[label] }

    /// Whether a network with this number of output classes can have this alphabet: all of them, or the common ones.
    func matches(classCount: Int) -> Bool { classCount == self.count || classCount == self.commonCount }

    /// Whether a class is a space.
    func isSpace(_ label: Int) -> Bool { self.characters[label] == " " }

    /// Whether a class is a digit.
    func isDigit(_ label: Int) -> Bool { self.characters[label].first?.isWholeNumber == true }

    /// Whether a class is a letter, an ideograph or a digit.
    func isLetter(_ label: Int) -> Bool {
        self.characters[label].first.map { $0.isLetter || $0.isNumber } ?? false
    }
}
