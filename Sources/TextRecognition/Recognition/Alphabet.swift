/// The classes of a recogniser: what each of its outputs stands for.
public struct Alphabet: Sendable {
    /// The output that means "no character here".
    public static let blank = 0
    /// What each class says; empty for the blank.
    public let characters: [String]
    /// How many of the first classes are common; networks may give the scores of these alone.
    public let commonCount: Int
    /// The class that is the space.
    let space: Int
    /// For each character its first class.
    private let labels: [String: Int]
    /// For each class those that it is confused with; see ``ConfusableSet``.
    private let rivals: [[Int]]
    /// The codes of the languages that can be written with it, in alphabetical order.
    public var languages: [String] { Language.codes(coveredBy: self) }

    /// The alphabet of a model.
    ///
    /// - Parameter list: The characters of the common classes after the blank, one a line, without the space, which follows
    ///   them. After an empty line come those of the others.
    public init(list: String) {
        let lines = list.split(separator: "\n", omittingEmptySubsequences: false)
        let common = lines.prefix { !$0.isEmpty }
        let others = lines.dropFirst(common.count).filter { !$0.isEmpty }
        // The ideographic space parts words as the other one does.
        let characters = [common[...], [" "], others[...]].joined().map { $0 == "\u{3000}" ? " " : String($0) }
        self.init([""] + characters, space: common.count + 1, commonCount: common.count + 2)
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

    /// Whether a class is a letter, an ideograph or a digit.
    func isLetter(_ label: Int) -> Bool {
        self.characters[label].first.map { $0.isLetter || $0.isNumber } ?? false
    }
}
