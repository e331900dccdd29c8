import Foundation
import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct TextDetectorTests {
    /// Lines for an empty picture and a network whose output is `probability`.
    private static func detect(
        width: Int = 640,
        height: Int = 640,
        orientation: Orientation = .up,
        region: PixelRect? = nil,
        scale: Float = 1,
        _ probability: @escaping (_ x: Int, _ y: Int) -> Float
    ) throws -> [DetectedLine] {
        let detector = TextDetector(model: StubModel.detector(probability), settings: DetectorSettings(scale: scale))
        return try PixelBuffer(width: width, height: height, format: .gray).withPixels { view in
            let frame = UprightFrame(view, orientation: orientation)
            return try detector.detect(in: frame, region: region ?? frame.pixels(of: .full))
        }
    }

    /// The distance by which a kernel of a size is unclipped.
    private static func unclipDistance(_ width: Float, _ height: Float) -> Float {
        width * height * 1.1 / (2 * (width + height))
    }

    @Test func aKernelIsUnclippedByItsAreaOverItsPerimeter() throws {
        let lines = try Self.detect { x, y in (100..<300).contains(x) && (50..<70).contains(y) ? 0.9 : 0.1 }
        try #require(lines.count == 1)
        let unclipDistance = Self.unclipDistance(200, 20)
        let expected = Quad(
            x: 100 - unclipDistance,
            y: 50 - unclipDistance,
            width: 200 + 2 * unclipDistance,
            height: 20 + 2 * unclipDistance
        )
        #expect(lines[0].rect.quad.distance(to: expected) < 0.01)
        #expect(abs(lines[0].score - 0.9) < 1e-4)
    }

    @Test(arguments: [-80, -45, -30, -5, 10, 33, 60, 90] as [Float])
    func aTurnedKernelIsRecoveredWithinAPixel(degrees: Float) throws {
        let axis = Point(x: cosf(degrees * .pi / 180), y: sinf(degrees * .pi / 180))
        let kernel = RotatedRect(centre: Point(x: 320, y: 320), axis: axis, width: 240, height: 24)
        let lines = try Self.detect { x, y in
            let (dx, dy) = (Float(x) + 0.5 - kernel.centre.x, Float(y) + 0.5 - kernel.centre.y)
            let (along, across) = (dx * axis.x + dy * axis.y, dy * axis.x - dx * axis.y)
            return abs(along) <= kernel.width / 2 && abs(across) <= kernel.height / 2 ? 0.8 : 0
        }
        try #require(lines.count == 1)
        let expected = kernel.expanded(by: Self.unclipDistance(kernel.width, kernel.height)).levelled
        // Its pixels are squares, whose corners protrude from a slanted side: half a diagonal, and as much again in the
        // unclip distance.
        #expect(lines[0].rect.centre.distance(to: kernel.centre) < 1)
        #expect((0...3).map { lines[0].rect.quad.turned($0).distance(to: expected.quad) }.min() ?? .infinity < 3)
    }

    @Test func theScoreIsTheMeanOfTheKernel() throws {
        let lines = try Self.detect { x, y in
            guard (100..<300).contains(x), (50..<70).contains(y) else { return 0.1 }
            return x < 150 ? 1 : 0.6
        }
        #expect(lines.count == 1)
        #expect(abs((lines.first?.score ?? 0) - 0.7) < 1e-4)
    }

    @Test func specksFaintKernelsAndThinOnesAreRejected() throws {
        let lines = try Self.detect { x, y in
            if x < 2, y < 2 { return 1 }  // a speck
            if (100..<300).contains(x), (50..<52).contains(y) { return 1 }  // a hair
            if (100..<300).contains(x), (100..<120).contains(y) { return 0.4 }  // above the threshold, but unsure
            if (100..<300).contains(x), (200..<220).contains(y) { return 0.14 }  // below it
            return (100..<300).contains(x) && (300..<303).contains(y) ? 0.6 : 0
        }
        #expect(lines.count == 1)
        #expect(abs((lines.first?.rect.centre.y ?? 0) - 301.5) < 0.01)
    }

    @Test func thePaddingOfTheInputIsIgnored() throws {
        // 700 x 650 is scanned in an input of 704 x 672.
        let lines = try Self.detect(width: 700, height: 650) { x, y in x >= 700 || y >= 650 ? 1 : 0 }
        #expect(lines.isEmpty)
    }

    @Test func boxesAreInUprightPixelsAndNotInThoseOfTheMap() throws {
        // 640 x 480 becomes 853 x 640.
        let lines = try Self.detect(width: 640, height: 480) { x, y in
            (267..<533).contains(x) && (240..<300).contains(y) ? 1 : 0
        }
        try #require(lines.count == 1)
        let unclipDistance = Self.unclipDistance(266, 60)
        let scale: Float = 640.0 / 853
        let expected = Quad(
            x: (267 - unclipDistance) * scale,
            y: (240 - unclipDistance) * 0.75,
            width: (266 + 2 * unclipDistance) * scale,
            height: (60 + 2 * unclipDistance) * 0.75
        )
        #expect(lines[0].rect.quad.distance(to: expected) < 0.1)
    }

    @Test func boxesAreInUprightPixelsAtAScaleToo() throws {
        // 1000 x 800 is scanned as 500 x 400.
        let lines = try Self.detect(width: 1000, height: 800, scale: 0.5) { x, y in
            (100..<300).contains(x) && (50..<70).contains(y) ? 0.9 : 0
        }
        try #require(lines.count == 1)
        let unclipDistance = Self.unclipDistance(200, 20)
        let expected = Quad(
            x: 200 - 2 * unclipDistance,
            y: 100 - 2 * unclipDistance,
            width: 400 + 4 * unclipDistance,
            height: 40 + 4 * unclipDistance
        )
        #expect(lines[0].rect.quad.distance(to: expected) < 0.01)
    }

    @Test func boxesOfARegionLieWhereTheRegionIs() throws {
        let region = PixelRect(x: 200, y: 100, width: 700, height: 650)
        let lines = try Self.detect(width: 1000, height: 900, region: region) { x, y in
            (100..<300).contains(x) && (50..<70).contains(y) ? 0.9 : 0
        }
        try #require(lines.count == 1)
        #expect(lines[0].rect.centre.distance(to: Point(x: 400, y: 160)) < 0.01)
    }

    @Test(arguments: Orientation.allCases)
    func theNetworkSeesTheRegionUpright(orientation: Orientation) throws {
        let picture = PixelBuffer(noise: 25, width: 900, height: 800, format: .gray)
        let region = PixelRect(x: 64, y: 32, width: 700, height: 650)
        var seen: [UInt8] = []
        let model = StubModel<Float> { shape, input in
            seen = input
            return ([Float](repeating: 0, count: shape.pixelCount), [1, shape.height, shape.width])
        }
        let detector = TextDetector(model: model, settings: DetectorSettings(scansForLargeLines: false))
        try picture.sent(as: orientation).withPixels { view in
            _ = try detector.detect(in: UprightFrame(view, orientation: orientation), region: region)
        }
        let shape = InputShape(height: 672, width: 704)
        #expect(model.shapes == [shape])
        for (x, y) in [(0, 0), (699, 0), (0, 649), (699, 649), (350, 100)] {
            let pixel = picture.bytes[(y + region.y) * 900 + x + region.x]
            for channel in 0..<3 { #expect(seen[shape.index(x, y, channel)] == pixel) }
        }
        for (x, y) in [(700, 0), (703, 649), (0, 650), (703, 671)] {
            for channel in 0..<3 { #expect(seen[shape.index(x, y, channel)] == InputShape.paddingValue) }
        }
    }

    @Test func aLineIsAsElongatedWhicheverWayItLies() {
        let rect = RotatedRect(centre: Point(x: 0, y: 0), axis: Point(x: 1, y: 0), width: 80, height: 10)
        let standing = RotatedRect(centre: Point(x: 0, y: 0), axis: Point(x: 1, y: 0), width: 10, height: 80)
        #expect(DetectedLine(rect: rect, score: 1).elongation == 8)
        #expect(DetectedLine(rect: standing, score: 1).elongation == 8)
    }

    @Test func anOutputOfNaNHasNoLines() throws {
        #expect(try Self.detect { _, _ in .nan }.isEmpty)
        #expect(try Self.detect { x, _ in x.isMultiple(of: 2) ? .nan : 0.1 }.isEmpty)
    }

    @Test func anOutputOfAnotherShapeIsAnError() throws {
        let model = StubModel<Float> { shape, _ in
            ([Float](repeating: 1, count: shape.pixelCount / 4), [1, shape.height / 2, shape.width / 2])
        }
        let detector = TextDetector(model: model, settings: DetectorSettings())
        PixelBuffer(width: 640, height: 640, format: .gray).withPixels { view in
            let frame = UprightFrame(view, orientation: .up)
            let error = #expect(throws: RecognitionError.self) {
                _ = try detector.detect(in: frame, region: frame.pixels(of: .full))
            }
            #expect(error?.code == .inferenceFailed)
        }
    }

    @Test(arguments: Orientation.allCases)
    func aSmallPictureHasAMarginInTheColourOfItsBorder(orientation: Orientation) throws {
        let picture = PixelBuffer(width: 100, height: 40, format: .gray) { x, y, _ in
            x < 50 && (10..<30).contains(y) ? 20 : 210
        }
        var seen: [UInt8] = []
        let model = StubModel<Float> { shape, input in
            seen = input
            // A line where the picture is dark, from its left edge on.
            let map = (0..<shape.pixelCount).map { input[3 * $0] < 60 ? Float(0.9) : 0 }
            return (map, [1, shape.height, shape.width])
        }
        let detector = TextDetector(model: model, settings: DetectorSettings(maxEnlargement: 1))
        let lines = try picture.sent(as: orientation).withPixels { view in
            try detector.detect(
                in: UprightFrame(view, orientation: orientation),
                region: PixelRect(x: 0, y: 0, width: 100, height: 40)
            )
        }
        let shape = InputShape(height: 64, width: 128)
        #expect(model.shapes == [shape])
        for (x, y) in [(0, 0), (11, 30), (127, 63), (112, 20), (50, 11), (50, 52)] {
            #expect(seen[shape.index(x, y, 0)] == 210)
        }
        #expect(seen[shape.index(12, 30, 0)] == 20)
        try #require(lines.count == 1)
        #expect(lines[0].rect.centre.distance(to: Point(x: 25, y: 20)) < 0.01)
    }

    @Test(arguments: [(0.0, true), (0.05, true), (0.35, false)] as [(Float, Bool)])
    func theBoxOfALetterIsLevelUnlessItIsClearlyTurned(angle: Float, isLevel: Bool) throws {
        let (cosine, sine) = (1 - angle * angle / 2, angle)
        let lines = try Self.detect(width: 1000, height: 900, region: PixelRect(x: 0, y: 0, width: 1000, height: 900)) {
            x,
            y in
            let (dx, dy) = (Float(x) - 300, Float(y) - 300)
            let (along, across) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
            return abs(along) < 50 && abs(across) < 60 ? 0.9 : 0
        }
        try #require(lines.count == 1)
        #expect((lines[0].rect.axis.y == 0) == isLevel)
    }
}
