import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct TileAtlasTests {
    @Test(arguments: [1, 640, 1983, 1984, 1985, 2000, 2048, 3456, 6144, 7680, 16384])
    func everyPixelIsKeptOnceAndSeenWithWhatSurroundsIt(length: Int) {
        let spans = TileSpan.covering(length, most: 1984, length: 1024)
        #expect(spans.flatMap(\.kept) == Array(0..<length))
        for span in spans {
            #expect(span.start >= 0 && span.start + span.length <= length)
            #expect(span.kept.lowerBound == 0 || span.kept.lowerBound - span.start >= TileSpan.overlap / 2)
            #expect(
                span.kept.upperBound == length
                    || span.start + span.length - span.kept.upperBound >= TileSpan.overlap / 2
            )
        }
        #expect(spans.count == 1 ? length <= 1984 : length > 1984)
    }

    @Test func aLargePictureIsLookedAtAsCloselyAsTheLowestLinesNeed() {
        let settings = DetectorSettings(scale: 0.8)
        func plan(_ leastHeight: Float) -> DetectionPlan {
            DetectionPlan(width: 7680, height: 4320, leastHeight: leastHeight, settings: settings)
        }
        #expect((plan(0).width, plan(0).sheets.count) == (1587, 1))
        // Twenty pixels a line, but no closer than a picture of usual size.
        #expect((plan(50).width, plan(50).height) == (3072, 1728))
        #expect(plan(5).width == 6144)
        #expect(plan(50).sheets.count > 1 && plan(5).sheets.count > plan(50).sheets.count)
        // Where only large text counts, it is looked at smaller.
        #expect((plan(400).width, plan(400).sheets.count) == (384, 1))
    }

    @Test func aPictureOfUsualSizeIsLookedAtNoCloser() {
        let usual = DetectionPlan(width: 1280, height: 720, settings: DetectorSettings())
        let small = DetectionPlan(width: 1280, height: 720, leastHeight: 4, settings: DetectorSettings())
        #expect((small.width, small.height) == (usual.width, usual.height))
    }

    private static let sizes: [[(width: Int, height: Int)]] = [
        [(1, 1)], [(320, 192)], [(45, 166), (94, 170)], [(321, 10), (10, 193)], [(1024, 48), (48, 576)],
        [(700, 500), (3, 3)],
        Array(repeating: (60, 60), count: 31), [(384, 256), (384, 256), (320, 192)],
    ]

    @Test(arguments: sizes)
    func partsLieSideBySideAndAreSeenWhole(sizes: [(width: Int, height: Int)]) throws {
        let sheets = TileAtlas.showing(sizes)
        let shape = try #require(sheets.first?.shape)
        #expect(TileAtlas.partShapes.contains(shape) && sheets.allSatisfy { $0.shape == shape })
        for sheet in sheets {
            var slots = [Int](repeating: 0, count: shape.width * shape.height)
            for piece in sheet.pieces {
                #expect(piece.columns.length <= piece.slot.width && piece.rows.length <= piece.slot.height)
                for y in piece.slot.y..<piece.slot.y + piece.slot.height {
                    for x in piece.slot.x..<piece.slot.x + piece.slot.width { slots[y * shape.width + x] += 1 }
                }
            }
            #expect(slots.allSatisfy { $0 == 1 }, "every pixel of an input belongs to one slot")
        }
        for (index, size) in sizes.enumerated() {
            let kept = sheets.flatMap(\.pieces).filter { $0.picture == index }.map {
                $0.columns.kept.count * $0.rows.kept.count
            }
            #expect(kept.reduce(0, +) == size.width * size.height)
            #expect(kept.count == 1 || size.width > shape.width || size.height > shape.height)
        }
    }

    @Test func smallPartsShareASmallSheet() {
        #expect(
            TileAtlas.showing([(100, 90), (100, 90), (100, 90)]).map(\.shape) == [TileAtlas.partShapes[0]]
        )
        #expect(TileAtlas.showing([(330, 200)]).map(\.shape) == [TileAtlas.partShapes[1]])
        #expect(TileAtlas.showing([]).isEmpty)
    }

    @Test(arguments: [Orientation.up, .right, .downMirrored])
    func linesAreFoundInPartsWhereTheyAre(orientation: Orientation) throws {
        let (width, height) = (1280, 720)
        let drawn = [(100, 100, 90, 30), (600, 300, 500, 40), (1200, 650, 60, 20), (20, 650, 60, 20)]
        let picture = PixelBuffer(width: width, height: height, format: .gray) { column, row, _ in
            drawn.contains { x, y, columns, rows in
                (x..<x + columns).contains(column) && (y..<y + rows).contains(row)
            } ? 20 : 220
        }
        let detector = TextDetector(model: Self.dark(), settings: DetectorSettings(scale: 0.8))
        // The last line lies in none of the parts; the second is too long for any input.
        let parts = drawn.dropLast().map { x, y, columns, rows in
            PixelRect(x: x - 24, y: y - 24, width: min(columns + 48, width - x + 24), height: rows + 48)
        }
        let lines = try picture.sent(as: orientation).withPixels { view in
            try detector.detect(
                in: UprightFrame(view, orientation: orientation),
                region: PixelRect(x: 0, y: 0, width: width, height: height),
                parts: parts
            )
        }
        let centres = lines.map(\.rect.centre).sorted { $0.y < $1.y }
        try #require(centres.count == parts.count)
        for (centre, (x, y, columns, rows)) in zip(centres, drawn) {
            #expect(centre.distance(to: Point(x: Float(x + columns / 2), y: Float(y + rows / 2))) < 3)
        }
    }

    /// A network that marks what is dark.
    private static func dark() -> StubModel<Float> {
        StubModel<Float> { shape, input in
            let map = (0..<shape.pixelCount).map { input[3 * $0] < 100 ? Float(0.9) : 0 }
            return (map, [1, shape.height, shape.width])
        }
    }

    @Test(arguments: [Orientation.up, .right, .downMirrored])
    func linesAcrossTilesAreFoundWholeAndOnce(orientation: Orientation) throws {
        let (width, height) = (4000, 2500)
        // A long line across all columns of tiles, and a short one where two rows of tiles meet.
        let drawn = [(100, 300, 3700, 40), (1500, 890, 200, 40)]
        let picture = PixelBuffer(width: width, height: height, format: .gray) { column, row, _ in
            drawn.contains { x, y, columns, rows in
                (x..<x + columns).contains(column) && (y..<y + rows).contains(row)
            } ? 20 : 220
        }
        let model = Self.dark()
        let detector = TextDetector(model: model, settings: DetectorSettings())
        func find(with executor: any ParallelExecutor) throws -> [DetectedLine] {
            try picture.sent(as: orientation).withPixels { view in
                try detector.detect(
                    in: UprightFrame(view, orientation: orientation),
                    region: PixelRect(x: 0, y: 0, width: width, height: height),
                    leastHeight: 20,
                    with: executor
                )
            }
        }
        let lines = try find(with: InlineExecutor())
        #expect(model.counts.reduce(0, +) > 4)
        let centres = lines.map(\.rect.centre).sorted { $0.y < $1.y }
        try #require(centres.count == drawn.count)
        for (centre, (x, y, columns, rows)) in zip(centres, drawn) {
            #expect(centre.distance(to: Point(x: Float(x + columns / 2), y: Float(y + rows / 2))) < 3)
        }
        #expect(lines.contains { abs(max($0.rect.width, $0.rect.height) - 3744) < 8 })
        #expect(try find(with: ThreadHelpers()).map(\.rect.centre) == lines.map(\.rect.centre))
    }
}
