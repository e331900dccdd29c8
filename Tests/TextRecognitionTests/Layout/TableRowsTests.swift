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

    /// Two columns of lines that are `widths` long, with words of these numbers and these widths of the first.
    private static func columns(_ widths: [Float], words: [Int], firstWidths: [Float]) -> [ReadingOrder.Extent] {
        widths.indices.flatMap { row in
            [Float(0), 150].map { x in
                let words = LineWords(count: words[row % words.count], firstWidth: firstWidths[row % firstWidths.count])
                return ReadingOrder.Extent(Quad(x: x, y: Float(row) * 12, width: widths[row], height: 10), words: words)
            }
        }
    }

    /// Lengths of lines that are too short for running text to be known by them alone.
    private static let widths: [Float] = [100, 92, 84, 96, 40, 88, 94]

    @Test func narrowColumnsOfRunningTextAreNoTable() {
        let text = Self.columns(Self.widths, words: [4, 3, 3, 5, 2, 4], firstWidths: [20, 18, 30, 24])
        #expect(TableRows.rows(of: text).allSatisfy { $0.count == 1 })
    }

    @Test func aHeadingAboveTwoOfThreeColumnsDoesNotMakeThemATable() {
        let heading = ReadingOrder.Extent(Quad(x: 0, y: 0, width: 250, height: 14))
        let text = (0..<12).flatMap { row in
            [Float(0), 150, 300].map { x in
                ReadingOrder.Extent(
                    Quad(x: x, y: Float(row) * 12 + 20, width: row % 3 == 0 ? 90 : 100, height: 10),
                    words: LineWords(count: 4, firstWidth: 20)
                )
            }
        }
        #expect(TableRows.rows(of: [heading] + text).allSatisfy { $0.count == 1 })
    }

    @Test func cellsOfFewWordsAreATableThoughAllAreAboutAsLong() {
        let names = Self.columns(Self.widths, words: [2, 2, 1], firstWidths: [50])
        #expect(TableRows.rows(of: names).allSatisfy { $0.count == 2 })
    }

    @Test func cellsThatEndBeforeAnotherWordWouldNotFitAreATable() {
        let phrases = Self.columns([100, 70, 64, 75, 40, 82, 55], words: [4, 3], firstWidths: [14])
        #expect(TableRows.rows(of: phrases).allSatisfy { $0.count == 2 })
    }

    @Test func runningTextBesideACellIsOfATable() {
        let rows = (0..<6).flatMap { row in
            [
                ReadingOrder.Extent(
                    Quad(x: 0, y: Float(row) * 12, width: 100, height: 10),
                    words: LineWords(count: 4, firstWidth: 20)
                ), Self.extent(150, Float(row) * 12, 30),
            ]
        }
        #expect(TableRows.rows(of: rows).allSatisfy { $0.count == 2 })
    }

    @Test func runningTextBesideATableInAnotherColumnIsNoneOfItsCells() {
        let text = (0..<30).map {
            ReadingOrder.Extent(
                Quad(x: 0, y: Float($0) * 12, width: 100, height: 10),
                words: LineWords(count: 4, firstWidth: 20)
            )
        }
        let table = (8..<16).flatMap {
            [Self.extent(150, Float($0) * 12 + 1, 30), Self.extent(200, Float($0) * 12 + 1, 20)]
        }
        let lines = (text + table).sorted { ($0.middle, $0.left) < ($1.middle, $1.left) }
        let rows = TableRows.rows(of: lines).map { row in row.map { lines[$0].left } }
        #expect(rows.filter { $0 == [0] }.count == 30)
        #expect(rows.filter { $0 == [150, 200] }.count == 8)
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
