import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct TileAtlasTests {
    @Test(arguments: [1, 640, 1983, 1984, 1985, 2000, 2048, 3456, 6144, 7680, 16384])
    func coresCoverEveryPixelOnceAndHaveHalosAroundThem(length: Int) {
        let spans = TileSpan.covering(length, maxLength: 1984, tileLength: 1024)
        #expect(spans.flatMap(\.core) == Array(0..<length))
        for span in spans {
            #expect(span.start >= 0 && span.start + span.length <= length)
            #expect(span.core.lowerBound == 0 || span.core.lowerBound - span.start >= TileSpan.overlap / 2)
            #expect(
                span.core.upperBound == length
                    || span.start + span.length - span.core.upperBound >= TileSpan.overlap / 2
            )
        }
        #expect(spans.count == 1 ? length <= 1984 : length > 1984)
    }

    @Test func aLargePictureIsScannedAtTheScaleThatTheLowestLinesNeed() {
        let settings = DetectorSettings(scale: 0.8)
        func plan(_ minTextHeight: Float) -> DetectionPlan {
            DetectionPlan(width: 7680, height: 4320, minTextHeight: minTextHeight, settings: settings)
        }
        #expect((plan(0).width, plan(0).atlases.count) == (1587, 1))
        // Twenty pixels per line, but no larger than a picture of usual size.
        #expect((plan(50).width, plan(50).height) == (3072, 1728))
        #expect(plan(5).width == 6144)
        #expect(plan(50).atlases.count > 1 && plan(5).atlases.count > plan(50).atlases.count)
        // Where only large text is requested, it is scanned smaller.
        #expect((plan(400).width, plan(400).atlases.count) == (384, 1))
    }

    @Test func aPictureOfUsualSizeIsNotEnlargedForLowLines() {
        let usual = DetectionPlan(width: 1280, height: 720, settings: DetectorSettings())
        let small = DetectionPlan(width: 1280, height: 720, minTextHeight: 4, settings: DetectorSettings())
        #expect((small.width, small.height) == (usual.width, usual.height))
    }

    private static let sizes: [[(width: Int, height: Int)]] = [
        [(1, 1)], [(320, 192)], [(45, 166), (94, 170)], [(321, 10), (10, 193)], [(1024, 48), (48, 576)],
        [(700, 500), (3, 3)],
        Array(repeating: (60, 60), count: 31), [(384, 256), (384, 256), (320, 192)],
    ]

    @Test(arguments: sizes)
    func partsArePackedSideBySideAndWhole(sizes: [(width: Int, height: Int)]) throws {
        let atlases = TileAtlas.packing(sizes)
        let shape = try #require(atlases.first?.shape)
        #expect(TileAtlas.partShapes.contains(shape) && atlases.allSatisfy { $0.shape == shape })
        for atlas in atlases {
            var slots = [Int](repeating: 0, count: shape.width * shape.height)
            for tile in atlas.tiles {
                #expect(tile.columns.length <= tile.slot.width && tile.rows.length <= tile.slot.height)
                for y in tile.slot.y..<tile.slot.y + tile.slot.height {
                    for x in tile.slot.x..<tile.slot.x + tile.slot.width { slots[y * shape.width + x] += 1 }
                }
            }
            #expect(slots.allSatisfy { $0 == 1 }, "every pixel of an input belongs to one slot")
        }
        for (index, size) in sizes.enumerated() {
            let areas = atlases.flatMap(\.tiles).filter { $0.region == index }.map {
                $0.columns.core.count * $0.rows.core.count
            }
            #expect(areas.reduce(0, +) == size.width * size.height)
            #expect(areas.count == 1 || size.width > shape.width || size.height > shape.height)
        }
    }

    @Test func smallPartsShareASmallAtlas() {
        #expect(
            TileAtlas.packing([(100, 90), (100, 90), (100, 90)]).map(\.shape) == [TileAtlas.partShapes[0]]
        )
        #expect(TileAtlas.packing([(330, 200)]).map(\.shape) == [TileAtlas.partShapes[1]])
        #expect(TileAtlas.packing([]).isEmpty)
    }

    @Test(arguments: [Orientation.up, .right, .downMirrored])
    func linesAreDetectedInPartsWhereTheyAre(orientation: Orientation) throws {
        let (width, height) = (1280, 720)
        let drawn = [(100, 100, 90, 30), (600, 300, 500, 40), (1200, 650, 60, 20), (20, 650, 60, 20)]
        let picture = PixelBuffer(width: width, height: height, format: .gray) { column, row, _ in
            drawn.contains { x, y, columns, rows in
                (x..<x + columns).contains(column) && (y..<y + rows).contains(row)
            } ? 20 : 220
        }
        let detector = TextDetector(model: Self.dark(), settings: DetectorSettings(scale: 0.8))
        // The last line is in none of the parts; the second is too long for any input.
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

    /// A network that marks dark pixels.
    private static func dark() -> StubModel<Float> {
        StubModel<Float> { shape, input in
            let map = [Float](unsafeUninitializedCapacity: shape.pixelCount) { map, count in
                for pixel in 0..<shape.pixelCount { map[pixel] = input[3 * pixel] < 100 ? 0.9 : 0 }
                count = shape.pixelCount
            }
            return (map, [1, shape.height, shape.width])
        }
    }

    @Test(arguments: [Orientation.up, .right, .downMirrored])
    func linesAcrossTilesAreDetectedWholeAndOnce(orientation: Orientation) throws {
        let (width, height) = (4000, 2500)
        // A long line across all columns of tiles, and a short one at the border of two rows of tiles.
        let drawn = [(100, 300, 3700, 40), (1500, 890, 200, 40)]
        var picture = PixelBuffer(width: width, height: height, format: .gray)
        picture.withMutableBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt8.self)
            pixels.update(repeating: 220)
            for (x, y, columns, rows) in drawn {
                for row in y..<y + rows { pixels[row * width + x..<row * width + x + columns].update(repeating: 20) }
            }
        }
        let model = Self.dark()
        let detector = TextDetector(model: model, settings: DetectorSettings())
        func detect(with executor: any ParallelExecutor) throws -> [DetectedLine] {
            try picture.sent(as: orientation).withPixels { view in
                try detector.detect(
                    in: UprightFrame(view, orientation: orientation),
                    region: PixelRect(x: 0, y: 0, width: width, height: height),
                    minTextHeight: 20,
                    with: executor
                )
            }
        }
        let lines = try detect(with: InlineExecutor())
        #expect(model.counts.reduce(0, +) > 4)
        let centres = lines.map(\.rect.centre).sorted { $0.y < $1.y }
        try #require(centres.count == drawn.count)
        for (centre, (x, y, columns, rows)) in zip(centres, drawn) {
            #expect(centre.distance(to: Point(x: Float(x + columns / 2), y: Float(y + rows / 2))) < 3)
        }
        #expect(lines.contains { abs(max($0.rect.width, $0.rect.height) - 3744) < 8 })
        #expect(try detect(with: ThreadExecutor()).map(\.rect.centre) == lines.map(\.rect.centre))
    }
}
