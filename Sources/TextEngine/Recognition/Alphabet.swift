/// The classes of a recogniser: what each of its outputs stands for.
public struct Alphabet: Sendable {
    /// The output that means "no character here".
    public static let blank = 0
    /// What each class says; empty for the blank.
    public let characters: [String]
    /// For each character its first class.
    private let labels: [String: Int]
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
        self.characters = characters
        self.labels = Dictionary(zip(characters, characters.indices)) { first, _ in first }
    }

    /// Number of classes, the blank among them.
    public var count: Int { self.characters.count }

    /// Whether a class says `character`.
    public func contains(_ character: String) -> Bool { self.labels[character] != nil }

    /// The first class that says `character`; `nil` where none does.
    func label(of character: String) -> Int? { self.labels[character] }

    /// The class that is the space, the last.
    var space: Int { self.count - 1 }

    /// Whether a class is a space.
    func isSpace(_ label: Int) -> Bool { self.characters[label] == " " }
}
