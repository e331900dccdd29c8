internal import GlyphwireProtocol
internal import TextModel

/// Succession of the texts of a result to those before.
///
/// A text succeeds one of the same pattern and region: the one with which it shares the most words, or else one that
/// reads the same in the same place. The time grows with the number of texts and not of their pairs, since a search may
/// find every letter of a page.
struct TextSuccession {
    /// Text with the ids of its words, each at most once.
    typealias Entry = TextChangeTracker.Entry

    /// Word of a text, with its pattern and region.
    private struct Mark: Hashable {
        let word: UInt64
        let pattern: Int?
        let region: String?

        init(_ word: UInt64, of text: ObservedText) {
            self.word = word
            self.pattern = text.pattern
            self.region = text.region
        }
    }

    /// Overlap from which two equal texts are in the same place: half of a line may have left the picture.
    private static let minimumOverlap: Float = 0.3

    /// Index of the predecessor of each text; `nil` for texts without one.
    private(set) var predecessors: [Int?]
    private let entries: [Entry]
    private let earlier: [Entry]
    /// Whether each of ``earlier`` has a successor.
    private var isTaken: [Bool]

    /// Finds the predecessors of `entries` among the texts `earlier`.
    init(of entries: [Entry], after earlier: [Entry]) {
        self.entries = entries
        self.earlier = earlier
        self.predecessors = Array(repeating: nil, count: entries.count)
        self.isTaken = Array(repeating: false, count: earlier.count)
        self.matchByWords()
        self.matchByPlaces()
    }

    private mutating func match(_ entry: Int, with predecessor: Int) {
        self.predecessors[entry] = predecessor
        self.isTaken[predecessor] = true
    }

    private mutating func matchByWords() {
        var owners: [Mark: ArraySlice<Int>] = [:]
        for (index, entry) in self.earlier.enumerated() {
            for word in entry.words { owners[Mark(word, of: entry.text), default: []].append(index) }
        }
        // Of several lines with words of one, the one with most of them is its successor; of equals, the first.
        for pair in self.pairs(with: owners) where self.predecessors[pair.entry] == nil && !self.isTaken[pair.earlier] {
            self.match(pair.entry, with: pair.earlier)
        }
        // Those that are left share one word at most.
        for (index, entry) in self.entries.enumerated() where self.predecessors[index] == nil {
            let free = entry.words.compactMap { word -> Int? in
                let mark = Mark(word, of: entry.text)
                owners[mark] = owners[mark]?.drop { self.isTaken[$0] }
                return owners[mark]?.first
            }
            if let first = free.min() { self.match(index, with: first) }
        }
    }

    /// Pairs of texts that share several words, those with the most of them first.
    ///
    /// They are few: matches of one pattern do not overlap, so no more than two of them go beyond a word.
    private func pairs(with owners: [Mark: ArraySlice<Int>]) -> [(entry: Int, earlier: Int, shared: Int)] {
        var pairs: [(entry: Int, earlier: Int, shared: Int)] = []
        for (index, entry) in self.entries.enumerated() where entry.words.count > 1 {
            var shared: [Int: Int] = [:]
            for word in entry.words {
                for owner in owners[Mark(word, of: entry.text)] ?? [] { shared[owner, default: 0] += 1 }
            }
            for (owner, count) in shared where count > 1 { pairs.append((index, owner, count)) }
        }
        return pairs.sorted { ($1.shared, $0.entry, $0.earlier) < ($0.shared, $1.entry, $1.earlier) }
    }

    private mutating func matchByPlaces() {
        let unmatched = self.predecessors.indices.filter { self.predecessors[$0] == nil }
        guard !unmatched.isEmpty else { return }
        var places = TextPlaces()
        for (index, entry) in self.earlier.enumerated() where !self.isTaken[index] {
            places.insert(entry.text, as: index)
        }
        for index in unmatched {
            let text = self.entries[index].text
            let predecessor = places.neighbours(of: text).first { candidate in
                !self.isTaken[candidate]
                    && self.earlier[candidate].text.box.intersectionOverUnion(with: text.box) >= Self.minimumOverlap
            }
            if let predecessor { self.match(index, with: predecessor) }
        }
    }
}
