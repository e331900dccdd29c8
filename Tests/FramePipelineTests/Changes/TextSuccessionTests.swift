import GlyphwireProtocol
import SeededRandom
import Testing
import TextModel

@testable import FramePipeline

@Suite struct TextSuccessionTests {
    /// Matches of two patterns on a page of six rows of ten letters, three in a word, whose rows are `shift` lower.
    private static func entries(shift: Int, using random: inout SplitMix64) -> [TextSuccession.Entry] {
        var entries: [TextSuccession.Entry] = []
        for (pattern, row) in (0..<2).flatMap({ pattern in (0..<6).map { (pattern, $0) } }) {
            var column = 0
            while column < 10 {
                let count = Int.random(in: 1...5, using: &random)
                let columns = column..<min(column + count, 10)
                column = columns.upperBound
                if Bool.random(using: &random) { continue }
                let words = Set(columns.map { UInt64(row * 4 + $0 / 3) }).filter { $0 % 5 != 0 }
                entries.append(
                    TextSuccession.Entry(
                        text: ObservedText(
                            id: 0,
                            text: Bool.random(using: &random) ? "a" : "b",
                            confidence: nil,
                            box: Quad(
                                x: Float(10 * columns.lowerBound) + Float.random(in: 0...5, using: &random),
                                y: Float(20 * (row + shift)),
                                width: Float(10 * columns.count),
                                height: 15
                            ),
                            pattern: pattern,
                            region: row < 3 ? "upper" : nil
                        ),
                        words: words.sorted()
                    )
                )
            }
        }
        return entries
    }

    /// The predecessors, found by comparing each text with each one before.
    private static func compared(
        _ entries: [TextSuccession.Entry],
        with earlier: [TextSuccession.Entry]
    ) -> [Int?] {
        var pairs: [(entry: Int, earlier: Int, shared: Int)] = []
        var alike = [[Int]](repeating: [], count: entries.count)
        for (index, entry) in entries.enumerated() {
            for (other, before) in earlier.enumerated()
            where entry.text.pattern == before.text.pattern && entry.text.region == before.text.region {
                alike[index].append(other)
                let shared = Set(entry.words).intersection(before.words).count
                if shared > 0 { pairs.append((index, other, shared)) }
            }
        }
        pairs.sort { ($1.shared, $0.entry, $0.earlier) < ($0.shared, $1.entry, $1.earlier) }
        var result = [Int?](repeating: nil, count: entries.count)
        var taken: Set<Int> = []
        for pair in pairs where result[pair.entry] == nil && !taken.contains(pair.earlier) {
            result[pair.entry] = pair.earlier
            taken.insert(pair.earlier)
        }
        for index in entries.indices where result[index] == nil {
            let text = entries[index].text
            result[index] = alike[index].first { other in
                let before = earlier[other].text
                return !taken.contains(other) && before.text == text.text
                    && before.box.intersectionOverUnion(with: text.box) >= 0.3
            }
            if let predecessor = result[index] { taken.insert(predecessor) }
        }
        return result
    }

    @Test(arguments: [0, 1, 10])
    func predecessorsAreThoseOfComparingEachWithEach(shift: Int) {
        var random = SplitMix64(UInt64(shift))
        var (matched, unmatched) = (0, 0)
        for _ in 0..<200 {
            let earlier = Self.entries(shift: 0, using: &random)
            let entries = Self.entries(shift: shift, using: &random)
            let predecessors = TextSuccession(of: entries, after: earlier).predecessors
            #expect(predecessors == Self.compared(entries, with: earlier))
            matched += predecessors.count { $0 != nil }
            unmatched += predecessors.count { $0 == nil }
        }
        #expect(matched > 1000 && unmatched > 100)
    }

    @Test func theOneWithTheMostWordsSucceedsAndOthersInOrder() {
        func entry(_ words: UInt64...) -> TextSuccession.Entry {
            let box = Quad(x: 0, y: 0, width: 1, height: 1)
            let text = ObservedText(id: 0, text: "\(words)", confidence: nil, box: box)
            return TextSuccession.Entry(text: text, words: words)
        }
        let earlier = [entry(1, 2, 3), entry(3), entry(3, 4), entry(5)]
        let succession = TextSuccession(of: [entry(3), entry(2, 3, 7), entry(4), entry(6), entry(3)], after: earlier)
        #expect(succession.predecessors == [1, 0, 2, nil, nil])
    }
}
