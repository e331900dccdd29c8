import TextModel
import TextRecognition
import Testing

@testable import TextTracking

/// Lines that leave the frame before a moving camera, and come back.
@Suite struct HiddenLinesTests {
    private static let frame = (width: 640, height: 384)
    private static let sign = Scene.Sign(text: "PLATFORM", x: 20, y: 60)

    private static func scene(pannedBy x: Int) -> Scene {
        let names = ["ALPHA", "BRAVO", "CHARLIE", "DELTA", "ECHO", "FOXTROT", "GOLF", "HOTEL", "INDIA"]
        let wall = names.enumerated().map { index, name in
            Scene.Sign(text: name, x: 240 + 140 * (index % 3), y: 40 + 100 * (index / 3))
        }
        var scene = Scene(signs: wall + [Self.sign])
        scene.pan = (x, 0)
        return scene
    }

    /// Reads the frames of a pan, and returns the readings of the sign or parts of it.
    private static func readings(of camera: Camera, panning steps: [Int]) throws -> [String] {
        camera.reader.resetCounts()
        for x in steps { try camera.see(Self.scene(pannedBy: x)) }
        return camera.reader.readings.filter { Self.sign.text.contains($0) }
    }

    @Test(arguments: [4, 10]) func aLineThatLeavesAndComesBackIsNotReadAgain(step: Int) throws {
        let camera = Camera()
        try camera.settle(Self.scene(pannedBy: 0))
        let id = try camera.see(Self.scene(pannedBy: 0)).id(Self.sign.text)
        #expect(id != nil)
        let away = Array(stride(from: step, through: 20 + Self.sign.width + 2 * step, by: step))
        #expect(try Self.readings(of: camera, panning: away + away.reversed()) == [])
        let last = try camera.see(Self.scene(pannedBy: 0))
        #expect(last.id(Self.sign.text) == id)
        #expect(last.texts.count == 10)
    }

    @Test func aLineIsReportedWithItsTextAsLongAsHalfOfItIsVisible() throws {
        let camera = Camera()
        try camera.settle(Self.scene(pannedBy: 0))
        for x in stride(from: 4, through: 20 + Self.sign.width + 8, by: 4) {
            let hidden = x - Self.sign.x
            let isReported = try camera.see(Self.scene(pannedBy: x)).texts.contains(Self.sign.text)
            // By a pixel or two, motion is known no better.
            guard abs(hidden - Self.sign.width / 2) > 4 else { continue }
            #expect(isReported == (hidden < Self.sign.width / 2), "\(hidden) pixels are hidden")
        }
    }

    @Test func aLineThatHasChangedOutsideTheFrameIsReadWhenItComesBack() throws {
        let camera = Camera()
        try camera.settle(Self.scene(pannedBy: 0))
        let away = Array(stride(from: 8, through: 20 + Self.sign.width + 16, by: 8))
        for x in away { try camera.see(Self.scene(pannedBy: x)) }
        for x in away.reversed() + [0, 0, 0] {
            var scene = Self.scene(pannedBy: x)
            scene.signs[9].text = "TERMINUS"
            try camera.see(scene)
        }
        var scene = Self.scene(pannedBy: 0)
        scene.signs[9].text = "TERMINUS"
        let texts = try camera.see(scene).texts
        #expect(texts.contains("TERMINUS") && !texts.contains(Self.sign.text))
    }

    @Test(
        arguments: [
            (Quad(x: 10, y: 20, width: 100, height: 20), 0, 1), (Quad(x: -50, y: 20, width: 100, height: 20), 0.5, 1),
        ]
            as [(Quad, Float, Float)]
    )
    func theVisibleIntervalOfALineEndsAtTheEdges(line: Quad, lower: Float, upper: Float) {
        #expect(line.visibleInterval(in: Self.frame) == lower...upper)
        #expect(line.turned(2).visibleInterval(in: Self.frame) == 1 - upper...1 - lower)
    }

    @Test func aLineOutsideTheFrameOrWithoutPlaceHasNoVisibleInterval() {
        for line in [Quad(x: -200, y: 20, width: 100, height: 20), Quad(x: 20, y: -40, width: 100, height: 20)] {
            #expect(line.visibleInterval(in: Self.frame) == nil)
            #expect(line.clipped(toLengthIn: Self.frame) == line)
        }
    }

    @Test func aLineIsClippedAlongItsLongerSides() {
        let line = Quad(x: 600, y: -5, width: 100, height: 20)
        #expect(line.clipped(toLengthIn: Self.frame) == Quad(x: 600, y: -5, width: 40, height: 20))
        let column = Quad(x: -5, y: 334, width: 20, height: 100)
        #expect(column.clipped(toLengthIn: Self.frame) == Quad(x: -5, y: 334, width: 20, height: 50))
    }

    @Test func theTemplateOfWhatIsVisibleMatchesInItsPlace() throws {
        var earlier = Pyramid()
        earlier.full.resize(width: Self.frame.width, height: Self.frame.height)
        earlier.full.drawWaves { $0 }
        earlier.reduce()
        var later = Pyramid()
        later.full.resize(width: Self.frame.width, height: Self.frame.height)
        later.full.drawWaves { Point(x: $0.x + 70, y: $0.y) }
        later.reduce()
        let whole = LineTemplate(Quad(x: 10, y: 100, width: 200, height: 22), in: earlier.full)
        let motion = Affine(x: -70, y: 0)
        let columns = whole.columns(visibleAfter: motion, in: Self.frame)
        #expect(abs(columns.lowerBound - 61) <= 1 && whole.full.width - columns.upperBound <= 1)
        var matcher = LineMatcher()
        let found = matcher.match(whole.cropped(to: columns), in: later, prediction: motion)
        let match = try #require(found)
        #expect(match.difference < 0.05)
        #expect(abs(match.motion.tx + 70) < 0.1)
        #expect(whole.columns(visibleAfter: Affine(x: -400, y: 0), in: Self.frame).isEmpty)
    }
}
