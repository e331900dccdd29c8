import FrameCodecs
import GlyphwireProtocol
import Testing

@testable import TextEngine

@Suite struct DetectionTileTests {
    @Test(arguments: [1, 640, 1983, 1984, 1985, 2000, 2048, 3456, 6144, 7680, 16384])
    func everyPixelIsKeptOnceAndSeenWithWhatSurroundsIt(length: Int) {
        let spans = DetectionTile.spans(of: length)
        #expect(spans.flatMap(\.kept) == Array(0..<length))
        for span in spans {
            #expect(span.start >= 0 && span.start + span.length <= length)
            #expect(span.kept.lowerBound == 0 || span.kept.lowerBound - span.start >= DetectionTile.overlap / 2)
            #expect(
                span.kept.upperBound == length
                    || span.start + span.length - span.kept.upperBound >= DetectionTile.overlap / 2
            )
        }
        #expect(spans.count == 1 ? length <= DetectionTile.mostLength : length > DetectionTile.mostLength)
    }

    @Test func aLargePictureIsLookedAtAsCloselyAsTheLowestLinesNeed() {
        let settings = DetectorSettings(scale: 0.8)
        func plan(_ leastHeight: Float) -> DetectionPlan {
            DetectionPlan(width: 7680, height: 4320, leastHeight: leastHeight, settings: settings)
        }
        #expect((plan(0).width, plan(0).tiles.count) == (1587, 1))
        // Twenty pixels a line, but no closer than a picture of usual size.
        #expect((plan(50).width, plan(50).height) == (3072, 1728))
        #expect(plan(5).width == 6144)
        #expect(plan(50).tiles.count > 1 && plan(5).tiles.count > plan(50).tiles.count)
        // Where only large text counts, it is looked at smaller.
        #expect((plan(400).width, plan(400).tiles.count) == (384, 1))
    }

    @Test func aPictureOfUsualSizeIsLookedAtNoCloser() {
        let usual = DetectionPlan(width: 1280, height: 720, settings: DetectorSettings())
        let small = DetectionPlan(width: 1280, height: 720, leastHeight: 4, settings: DetectorSettings())
        #expect((small.width, small.height) == (usual.width, usual.height))
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
        let lines = try picture.sent(as: orientation).withPixels { view in
            try detector.detect(
                in: UprightFrame(view, orientation: orientation),
                region: PixelRect(x: 0, y: 0, width: width, height: height),
                leastHeight: 20
            )
        }
        #expect(model.shapes.count > 4)
        let centres = lines.map(\.rect.centre).sorted { $0.y < $1.y }
        try #require(centres.count == drawn.count)
        for (centre, (x, y, columns, rows)) in zip(centres, drawn) {
            #expect(centre.distance(to: Point(x: Float(x + columns / 2), y: Float(y + rows / 2))) < 3)
        }
        #expect(lines.contains { abs(max($0.rect.width, $0.rect.height) - 3764) < 8 })
    }
}
