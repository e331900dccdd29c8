internal import GlyphwireProtocol
internal import TextModel

/// Index of texts by what they read and where they are.
struct TextPlaces {
    /// What equal texts have in common.
    private struct Subject: Hashable {
        let text: String
        let pattern: Int?
        let region: String?

        init(_ observed: ObservedText) {
            self.text = observed.text
            self.pattern = observed.pattern
            self.region = observed.region
        }
    }

    private var grids: [Subject: BoxGrid] = [:]

    /// Adds a text under an index, which is larger than those before.
    mutating func insert(_ text: ObservedText, as index: Int) {
        self.grids[Subject(text), default: BoxGrid()].insert(text.box, as: index)
    }

    /// Indices of all equal texts that overlap a text, and of others near it, in ascending order.
    func neighbours(of text: ObservedText) -> [Int] { self.grids[Subject(text)]?.neighbours(of: text.box) ?? [] }
}
