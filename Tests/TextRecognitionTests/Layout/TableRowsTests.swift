import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

@Suite struct TableRowsTests {
    private static func extent(_ x: Float, _ y: Float, _ width: Float) -> ReadingOrder.Extent {
        ReadingOrder.Extent(Quad(x: x, y: y, width: width, height: 10))
    }

    @Test func cellsMakeRowsAndOtherLinesOneEach() {
        let heading = Self.extent(0, 0, 300)
        let cells = (0..<3).flatMap { row in (0..<3).map { Self.extent(Float($0) * 100, 20 + Float(row) * 20, 60) } }
        #expect(Set(TableRows.rows(of: [heading] + cells)) == [[0], [1, 2, 3], [4, 5, 6], [7, 8, 9]])
    }

    @Test func oneShortColumnMakesATable() {
        // Items as long as a line of text, and their prices.
        let rows = (0..<3).flatMap { [Self.extent(0, Float($0) * 20, 200), Self.extent(250, Float($0) * 20, 30)] }
        #expect(Set(TableRows.rows(of: rows)) == [[0, 1], [2, 3], [4, 5]])
    }

    @Test func columnsOfLongLinesAreNoTable() {
        let rows = (0..<4).flatMap { [Self.extent(0, Float($0) * 20, 200), Self.extent(250, Float($0) * 20, 200)] }
        #expect(TableRows.rows(of: rows).allSatisfy { $0.count == 1 })
    }

    @Test func columnsThatAreNotLevelAreNoTable() {
        let lines = (0..<6).flatMap { [Self.extent(0, Float($0) * 24, 60), Self.extent(250, Float($0) * 24 + 12, 60)] }
        #expect(TableRows.rows(of: lines).allSatisfy { $0.count == 1 })
    }

    @Test func everyLineIsInOneRow() {
        var random = SplitMix64(43)
        let lines = (0..<300).map { _ in
            Self.extent(.random(in: 0...900, using: &random), .random(in: 0...500, using: &random), 40)
        }.sorted { $0.middle < $1.middle }
        let rows = TableRows.rows(of: lines)
        #expect(rows.flatMap { $0 }.sorted() == Array(lines.indices))
        for row in rows { #expect(zip(row, row.dropFirst()).allSatisfy { lines[$0].left < lines[$1].left }) }
    }
}
