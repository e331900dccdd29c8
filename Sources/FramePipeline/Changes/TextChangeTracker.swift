package import GlyphwireProtocol
internal import TextModel

/// Tracker of the texts of a stream, which compares each result with the one before.
///
/// Texts are lines, or matches where the stream searches, each in its region. A text is the same as before if it shares words, by their ids;
/// failing that, if it reads the same in the same place, as after a new connection, whose ids begin again.
package struct TextChangeTracker: Sendable {
    /// Time for which a lost text keeps its id, as the server keeps those of words (Protocol.md, rule C3).
    private static let memoryMicroseconds: UInt64 = 10_000_000
    /// Maximum number of lost texts that keep their id, as of words.
    private static let maxLost = 256

    /// Text of a result with the ids of its words.
    struct Entry {
        var text: ObservedText
        var words: [UInt64]
        var lostAt: UInt64 = 0
    }

    private var present: [Entry] = []
    private var lost: [Entry] = []
    private var lastID: UInt64 = 0

    /// Creates a tracker without texts.
    package init() {}

    /// Texts of the last result, in reading order.
    package var texts: [ObservedText] { self.present.map(\.text) }

    /// Compares the next result with the texts before.
    ///
    /// - Parameters:
    ///   - frame: The text of a frame.
    ///   - microseconds: The time of the frame.
    ///   - configuration: The configuration of the stream, which says in which regions lines are texts though others are searched.
    /// - Returns: What changed: lost texts first, then the others in reading order.
    package mutating func update(
        _ frame: FrameText,
        at microseconds: UInt64,
        configuration: StreamConfiguration = StreamConfiguration()
    ) -> [TextChange] {
        var entries = Self.entries(of: frame, configuration)
        let oldest = microseconds - min(microseconds, Self.memoryMicroseconds)
        self.lost.removeAll { $0.lostAt < oldest }
        let predecessors = TextSuccession(of: entries, after: self.present).predecessors
        let unmatched = entries.indices.filter { predecessors[$0] == nil }
        let returned = TextSuccession(of: unmatched.map { entries[$0] }, after: self.lost).predecessors
        var changes: [TextChange] = []
        for index in entries.indices {
            guard let predecessor = predecessors[index] else { continue }
            let before = self.present[predecessor].text
            entries[index].text.id = before.id
            if before.text != entries[index].text.text {
                changes.append(.changed(entries[index].text, previous: before.text))
            }
        }
        for (place, index) in unmatched.enumerated() {
            if let match = returned[place] {
                entries[index].text.id = self.lost[match].text.id
            } else {
                self.lastID += 1
                entries[index].text.id = self.lastID
            }
            changes.append(.appeared(entries[index].text))
        }
        let kept = Set(predecessors.compactMap(\.self))
        let gone = self.present.indices.filter { !kept.contains($0) }.map { self.present[$0] }
        self.remember(gone, without: Set(returned.compactMap(\.self)), at: microseconds)
        self.present = entries
        return gone.map { .lost($0.text) } + changes
    }

    /// Keeps those texts that a stream with other options may have as well.
    ///
    /// - Parameter successor: A text as the stream with other options has it; `nil` if it cannot have it.
    /// - Returns: What changed: the other texts are lost.
    package mutating func keep(_ successor: (ObservedText) -> ObservedText?) -> [TextChange] {
        let lost = self.present.map(\.text).filter { successor($0) == nil }
        self.present = Self.kept(self.present, successor)
        self.lost = Self.kept(self.lost, successor)
        return lost.map { .lost($0) }
    }

    private static func kept(_ entries: [Entry], _ successor: (ObservedText) -> ObservedText?) -> [Entry] {
        entries.compactMap { entry in
            guard let text = successor(entry.text) else { return nil }
            var entry = entry
            entry.text = text
            return entry
        }
    }

    /// Forgets the ids of words, since a new connection begins again with 1.
    package mutating func connectionLost() {
        for index in self.present.indices { self.present[index].words = [] }
        for index in self.lost.indices { self.lost[index].words = [] }
    }

    private mutating func remember(_ gone: [Entry], without returned: Set<Int>, at microseconds: UInt64) {
        self.lost = self.lost.indices.filter { !returned.contains($0) }.map { self.lost[$0] }
        self.lost += gone.map { entry in
            var entry = entry
            entry.lostAt = microseconds
            return entry
        }
        self.lost.removeFirst(max(self.lost.count - Self.maxLost, 0))
    }

    /// Matches of the search, and lines where there is no search.
    private static func entries(of frame: FrameText, _ configuration: StreamConfiguration) -> [Entry] {
        let matches = Dictionary(grouping: frame.found?.matches ?? [], by: \.line)
        return frame.lines.enumerated().flatMap { index, line in
            let isSearched =
                frame.found != nil && (line.region == nil || !configuration.patterns(in: line.region).isEmpty)
            guard isSearched else {
                let text = ObservedText(
                    id: 0,
                    text: line.text,
                    confidence: line.confidence,
                    box: line.box,
                    region: line.region
                )
                return line.text.isEmpty ? [] : [Entry(text: text, words: line.words.compactMap(\.id))]
            }
            return (matches[index] ?? []).map { match in
                let text = ObservedText(
                    id: 0,
                    text: match.text,
                    confidence: nil,
                    box: match.box,
                    pattern: match.pattern,
                    region: match.region
                )
                let words = line.words[match.words.clamped(to: line.words.indices)]
                return Entry(text: text, words: words.compactMap(\.id))
            }
        }
    }
}
