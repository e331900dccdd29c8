/// The classes of a recogniser: what each of its outputs stands for.
public struct Alphabet: Sendable {
    /// The output that means "no character here".
    public static let blank = 0
    /// What each class says; empty for the blank.
    public let characters: [String]
    /// How many of the first classes are common, in the order of a model file all of them; see ``commonFirst``.
    public let commonCount: Int
    /// The class that is the space.
    let space: Int
    /// For each character its first class.
    private let labels: [String: Int]
    /// For each class those that it is confused with; see ``ConfusableSet``.
    private let rivals: [[Int]]
    /// The codes of the languages that can be written with it, in alphabetical order.
    public var languages: [String] { Language.codes(coveredBy: self) }

    /// The alphabet of a model whose classes after the blank are the lines of `list`, followed by the space.
    public init(list: String) {
        var characters = [""]
        // The ideographic space parts words as the other one does.
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
        self.rivals = ConfusableSet.rivals(among: labels, count: characters.count)
    }

    /// Number of classes, the blank among them.
    public var count: Int { self.characters.count }

    /// Whether a class says `character`.
    public func contains(_ character: String) -> Bool { self.labels[character] != nil }

    /// The first class that says `character`; `nil` where none does.
    func label(of character: String) -> Int? { self.labels[character] }

    /// The classes that a class is confused with; see ``ConfusableSet``.
    func rivals(of label: Int) -> [Int] { self.rivals[label] }

    /// Whether a network that tells so many classes of a line tells those of the alphabet: all, or the common ones.
    func isAnswered(by classCount: Int) -> Bool { classCount == self.count || classCount == self.commonCount }

    /// Whether a class is a space.
    func isSpace(_ label: Int) -> Bool { self.characters[label] == " " }
}

extension Alphabet {
    /// What most lines consist of: letters, digits, marks and signs of currency below U+2190, the marks of Han and kana, and
    /// the wide forms of ASCII.
    ///
    /// `models/training/recognizer.py` has the same.
    private static let common: [Range<UInt32>] = [0..<0x2190, 0x3000..<0x3020, 0xFF01..<0xFF5F]

    /// The alphabet with its common classes first, the blank still the first of them, and which class stands at each place.
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
