import GlyphwireProtocol
import Testing

@testable import TextEvents

@Suite struct EventSourceTests {
    private static let searched = EventSource(name: "gate", patterns: ["alpha", "one"])

    private static func text(pattern: Int? = nil, region: String? = nil) -> ObservedText {
        let box = TextEventTests.box(row: 0)
        return ObservedText(id: 1, text: "ONE", confidence: nil, box: box, pattern: pattern, region: region)
    }

    @Test func textsAreFoundByTheirPatternAmongOthers() {
        let other = EventSource(name: "gate", patterns: ["zzz", "alpha"])
        #expect(other.adopted(Self.text(pattern: 0), of: Self.searched)?.pattern == 1)
        #expect(other.adopted(Self.text(pattern: 1), of: Self.searched) == nil)
    }

    @Test func linesAreNoMatchesAndMatchesAreNoLines() {
        let lines = EventSource(name: "gate")
        #expect(lines.adopted(Self.text(), of: lines) == Self.text())
        #expect(lines.adopted(Self.text(pattern: 0), of: Self.searched) == nil)
        #expect(Self.searched.adopted(Self.text(), of: lines) == nil)
    }

    @Test func textsStayInTheirRegion() {
        let regions = ["a", "b"].map { EventSource.Region(name: $0, patterns: $0 == "a" ? ["one", "two"] : []) }
        let old = EventSource(name: "gate", regions: regions)
        let new = EventSource(name: "gate", regions: [EventSource.Region(name: "a", patterns: ["two"])])
        #expect(new.adopted(Self.text(pattern: 1, region: "a"), of: old)?.pattern == 0)
        #expect(new.adopted(Self.text(pattern: 0, region: "a"), of: old) == nil)
        #expect(new.adopted(Self.text(region: "b"), of: old) == nil)
        #expect(new.adopted(Self.text(pattern: 0), of: Self.searched) == nil)
    }
}
