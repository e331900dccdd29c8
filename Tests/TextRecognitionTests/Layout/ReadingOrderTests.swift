import Foundation
import GlyphwireProtocol
import ImageCodecs
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

@Suite struct ReadingOrderTests {
    private static func extent(_ x: Float, _ y: Float, _ width: Float, _ height: Float = 10) -> ReadingOrder.Extent {
        ReadingOrder.Extent(Quad(x: x, y: y, width: width, height: height))
    }

    /// Whether `extents`, given in reading order, are restored after many shuffles.
    private static func isKept(_ extents: [ReadingOrder.Extent]) -> Bool {
        var random = SplitMix64(34)
        return (0..<20).allSatisfy { _ in
            let shuffled = extents.indices.shuffled(using: &random)
            let order = ReadingOrder.sorted(shuffled.map { extents[$0] }).map { shuffled[$0] }
            return order == Array(extents.indices)
        }
    }

    @Test func noLinesAndOneLineAreInOrder() {
        #expect(ReadingOrder.sorted([Quad]()).isEmpty)
        #expect(ReadingOrder.sorted([Self.extent(5, 5, 5)]) == [0])
    }

    @Test func linesOfAParagraphRunFromTopToBottom() {
        #expect(Self.isKept((0..<8).map { Self.extent(10, Float($0) * 14, 200 - Float($0 % 3) * 30) }))
    }

    @Test func wordsOfARowRunFromLeftToRightThoughTheyStandUnevenly() {
        #expect(Self.isKept([Self.extent(0, 3, 40), Self.extent(50, 0, 40), Self.extent(100, 4, 40)]))
    }

    @Test func theLeftColumnIsReadBeforeTheRight() {
        let left = (0..<6).map { Self.extent(0, Float($0) * 14, 100) }
        let right = (0..<6).map { Self.extent(120, Float($0) * 14 + 7, 100) }
        #expect(Self.isKept(left + right))
    }

    @Test func aLineThatRunsUpBesideATableDoesNotTiltIt() {
        let rows = (0..<6).flatMap { row in
            [Float(40), 180, 300].map { Quad(x: $0, y: Float(row) * 24, width: 18, height: 12) }
        }
        let margin = Quad(x: 0, y: 0, width: 12, height: 140).turned(1)
        #expect(ReadingOrder.sorted(rows + [margin]) == [18] + Array(0..<18))
    }

    @Test(arguments: Orientation.allCases)
    func narrowColumnsOfAFrameAreReadOneAfterTheOther(orientation: Orientation) {
        PixelBuffer(width: 200, height: 200, format: .gray).withPixels { view in
            let frame = UprightFrame(view, orientation: orientation)
            func line(_ x: Float, _ y: Float) -> TextLine {
                let words = (0..<4).map { index in
                    let box = frame.sent(Quad(x: x + Float(index) * 20, y: y, width: 18, height: 10))
                    return TextWord(text: "word", confidence: 1, box: box, characters: [])
                }
                let box = frame.sent(Quad(x: x, y: y, width: 78, height: 10))
                return TextLine(text: "word word word word", confidence: 1, box: box, words: words)
            }
            let columns = [Float(0), 100].map { x in (0..<8).map { line(x, Float($0) * 12) } }
            let rows = zip(columns[0], columns[1]).flatMap { [$0, $1] }
            #expect(ReadingOrder.sorted(rows, in: frame) == columns[0] + columns[1])
        }
    }

    @Test func theRightColumnIsReadBeforeTheLeftWhereMostTextRunsLeft() {
        func line(_ x: Float, _ y: Float, runsLeft: Bool = true) -> Quad {
            let quad = Quad(x: x, y: y, width: 100, height: 10)
            guard runsLeft else { return quad }
            return Quad(
                topLeft: quad.topRight,
                topRight: quad.topLeft,
                bottomRight: quad.bottomLeft,
                bottomLeft: quad.bottomRight
            )
        }
        let right = (0..<4).map { line(120, Float($0) * 14 + 7) }
        let left = (0..<4).map { line(0, Float($0) * 14, runsLeft: $0 != 2) }
        let lines = left + right
        #expect(ReadingOrder.sorted(lines) == [4, 5, 6, 7, 0, 1, 2, 3])
        // So it is on a page that lies upside down.
        let turned = lines.map { $0.mapCorners { Point(x: -$0.x, y: -$0.y) } }
        #expect(ReadingOrder.sorted(turned) == [4, 5, 6, 7, 0, 1, 2, 3])
    }

    @Test func aHeaderOverTwoColumnsComesFirstAndAFooterLast() {
        let header = [Self.extent(0, 0, 220)]
        let left = (0..<5).map { Self.extent(0, Float($0) * 14 + 20, 100) }
        let right = (0..<5).map { Self.extent(120, Float($0) * 14 + 27, 100) }
        let footer = [Self.extent(0, 110, 220)]
        #expect(Self.isKept(header + left + right + footer))
    }

    @Test func aHeadingAcrossTwoPairsOfColumnsDividesThem() {
        func columns(_ top: Float) -> [ReadingOrder.Extent] {
            (0..<3).map { Self.extent(0, top + Float($0) * 14, 100) }
                + (0..<3).map { Self.extent(120, top + Float($0) * 14 + 7, 100) }
        }
        #expect(Self.isKept(columns(0) + [Self.extent(0, 56, 220)] + columns(80)))
    }

    @Test func theRowsOfATableAreReadOneByOne() {
        let cells = (0..<5).flatMap { row in
            (0..<4).map { Self.extent(Float($0) * 60, Float(row) * 20 + Float($0 % 2), 40) }
        }
        #expect(Self.isKept(cells))
    }

    @Test func aTableBelowAParagraphIsReadRowByRow() {
        let paragraph = (0..<6).map { Self.extent(0, Float($0) * 14, 300) }
        let cells = (0..<3).flatMap { row in (0..<4).map { Self.extent(Float($0) * 80, 100 + Float(row) * 20, 50) } }
        #expect(Self.isKept(paragraph + cells))
    }

    @Test func aReceiptIsReadItemByItem() {
        func item(_ row: Int, _ width: Float) -> [ReadingOrder.Extent] {
            [Self.extent(0, Float(row) * 14, width), Self.extent(200, Float(row) * 14 + 1, 30)]
        }
        let (shop, remark) = (Self.extent(40, -30, 150), Self.extent(20, 3 * 14, 60))
        #expect(Self.isKept([shop] + item(0, 90) + item(1, 150) + item(2, 60) + [remark] + item(4, 120) + item(6, 50)))
    }

    @Test func levelColumnsOfRunningTextAreReadOneAfterTheOther() {
        let widths: [Float] = [300, 290, 295, 80]
        let left = widths.enumerated().map { Self.extent(0, Float($0) * 14, $1) }
        let right = widths.enumerated().map { Self.extent(330, Float($0) * 14 + 1, $1) }
        #expect(Self.isKept(left + right))
    }

    @Test func aMenuBesideRunningTextIsReadFirst() {
        let menu = (0..<4).map { Self.extent(0, Float($0) * 33, 60) }
        let text = (0..<9).map { Self.extent(100, Float($0) * 14 + 3, 300) }
        #expect(Self.isKept(menu + text))
    }

    @Test func aPageNumberAndACentredTitleAreReadBeforeWhatIsBelowThemOnTheLeft() {
        let labels = (0..<3).map { Self.extent(0, Float($0) * 40 + 50, 30) }
        #expect(Self.isKept([Self.extent(200, 0, 30)] + labels))
        #expect(Self.isKept([Self.extent(100, 0, 200, 14)] + labels))
    }

    @Test func aColumnThatBeginsHigherIsReadAfterTheOneOnItsLeft() {
        let left = (3..<9).map { Self.extent(0, Float($0) * 14, 150) }
        let right = (0..<6).map { Self.extent(170, Float($0) * 14 + 7, 150) }
        #expect(Self.isKept(left + right))
        // It may end higher, too.
        #expect(Self.isKept((0..<9).map { Self.extent(0, Float($0) * 14, 150) } + Array(right[1...2])))
    }

    @Test(arguments: [-9, -6, 6, 9])
    func linesOfACurvedPageAreReadFromTopToBottom(degrees: Int) {
        // Most of the page is level, and the others are indented to the left and to the right in turn.
        let level = (0..<5).map { Quad(x: 0, y: Float($0) * 30, width: 900, height: 20) }
        let angle = Float(degrees) * .pi / 180
        let slanted = (5..<10).map { row in
            Quad(x: row % 2 == 0 ? 40 : 0, y: Float(row) * 30, width: 460, height: 20).mapCorners {
                Point(x: $0.x, y: $0.y + ($0.x - 200) * tanf(angle))
            }
        }
        let below = slanted.map { line in line.mapCorners { Point(x: $0.x, y: $0.y + 60) } }
        let shuffled = [7, 2, 9, 0, 4, 6, 1, 8, 3, 5]
        let lines = level + below
        #expect(ReadingOrder.sorted(shuffled.map { lines[$0] }).map { shuffled[$0] } == Array(0..<10))
    }

    @Test(arguments: [-170, -90, -30, -8, 0, 5, 45, 90, 180])
    func aPageIsReadTheSameWhicheverWayItIsTurned(degrees: Int) {
        let columns = [0, 170].flatMap { x in (0..<5).map { Quad(x: x, y: Float($0) * 14, width: 150, height: 10) } }
        let table = (0..<3).flatMap { row in
            (0..<4).map { Quad(x: Float($0) * 85, y: 100 + Float(row) * 20, width: 60, height: 10) }
        }
        let angle = Float(degrees) * .pi / 180
        let turned = (columns + table).map { quad in
            quad.mapCorners {
                Point(x: $0.x * cosf(angle) - $0.y * sinf(angle), y: $0.x * sinf(angle) + $0.y * cosf(angle))
            }
        }
        #expect(ReadingOrder.sorted(turned) == Array(turned.indices))
    }

    @Test func everyLineIsNamedOnceWhateverTheirPlaces() {
        var random = SplitMix64(35)
        for count in [2, 10, 100, 400] {
            let extents = (0..<count).map { _ in
                Self.extent(
                    .random(in: 0...500, using: &random),
                    .random(in: 0...500, using: &random),
                    .random(in: 0...200, using: &random),
                    .random(in: 0...60, using: &random)
                )
            }
            #expect(ReadingOrder.sorted(extents).sorted() == Array(0..<count))
        }
    }

    /// The relation by its definition, tested for every pair.
    private static func comes(_ a: ReadingOrder.Extent, before b: ReadingOrder.Extent, _ all: [ReadingOrder.Extent])
        -> Bool
    {
        func sharesWidth(_ a: ReadingOrder.Extent, _ b: ReadingOrder.Extent) -> Bool {
            a.left < b.right && b.left < a.right
        }
        func middle(_ extent: ReadingOrder.Extent) -> Float { (extent.top + extent.bottom) / 2 }
        let shared = min(a.bottom, b.bottom) - max(a.top, b.top)
        let sharedWidth = min(a.right, b.right) - max(a.left, b.left)
        if sharedWidth <= 0.5 * min(a.width, b.width), shared > 0.5 * a.height { return a.left < b.left }
        if sharesWidth(a, b) { return middle(a) < middle(b) }
        let between = min(middle(a), middle(b)).nextUp..<max(middle(a), middle(b))
        return a.right <= b.left && (middle(a) <= middle(b) || Self.isBeside(a, b, all))
            && !all.contains { between.contains(middle($0)) && sharesWidth($0, a) && sharesWidth($0, b) }
    }

    /// Whether a line is level with the column of another one above it on its right, or below one that is; all are equally high.
    private static func isBeside(_ a: ReadingOrder.Extent, _ b: ReadingOrder.Extent, _ all: [ReadingOrder.Extent])
        -> Bool
    {
        func column(_ isPart: (ReadingOrder.Extent) -> Bool, from top: Float) -> Float {
            let tops = all.filter(isPart).map(\.top).sorted().filter { $0 > top }
            return tops.reduce(top) { $1 - $0 <= 4 * a.height ? max($0, $1) : $0 }
        }
        let last = column({ $0.left < b.right && b.left < $0.right }, from: b.top)
        // The lowest line on the left that is level with the column, from which others go on down to this one.
        let level = all.filter { $0.right <= b.left && $0.top > b.top - a.height && $0.top < last + a.height }.map(
            \.top
        ).max()
        return level.map { column({ $0.right <= b.left }, from: $0) >= a.top } ?? false
    }

    /// On pages of lines too long to be table cells.
    @Test func linesFollowTheirPredecessorsUnlessThereIsACycle() {
        var random = SplitMix64(37)
        for _ in 0..<300 {
            // Few positions, so that edges and centres coincide, and columns with gaps or without.
            let height = Float(Int.random(in: 1...9, using: &random))
            let extents = (0..<Int.random(in: 2...25, using: &random)).map { _ in
                Self.extent(
                    Float(Int.random(in: 0...12, using: &random) * 200),
                    Float(Int.random(in: 0...12, using: &random) * 10),
                    Float(Int.random(in: 1...6, using: &random) * 200),
                    height
                )
            }
            let byTop = extents.indices.sorted {
                (extents[$0].top + extents[$0].bottom, extents[$0].left)
                    < (extents[$1].top + extents[$1].bottom, extents[$1].left)
            }
            var expected: [Int] = []
            var isMet = Set<Int>()
            func place(_ index: Int) {
                guard isMet.insert(index).inserted else { return }
                for other in byTop
                where !isMet.contains(other) && Self.comes(extents[other], before: extents[index], extents) {
                    place(other)
                }
                expected.append(index)
            }
            byTop.forEach(place)
            #expect(ReadingOrder.sorted(extents) == expected)
        }
    }

    @Test(arguments: [0, 1, 2, 3])
    func aPageFullOfNoiseIsOrderedInNoTime(kind: Int) {
        var random = SplitMix64(36)
        let extents = (0..<2000).map { index in
            switch kind {
            case 0:  // anywhere
                Self.extent(.random(in: 0...1900, using: &random), .random(in: 0...1000, using: &random), 40)
            case 1:  // a staircase: every line to the right of all above it
                Self.extent(Float(index) * 10, Float(index) * 12, 8)
            case 2:  // the other way
                Self.extent(Float(2000 - index) * 10, Float(index) * 12, 8)
            default:  // all in one place
                Self.extent(10, 10, 100)
            }
        }
        let clock = ContinuousClock()
        // The minimum of several, and a hundred times what is needed, so that other load on the machine does not
        // matter.
        let times = (0..<5).map { _ in clock.measure { #expect(ReadingOrder.sorted(extents).count == 2000) } }
        #expect(times.contains { $0 < .seconds(2) })
    }
}
