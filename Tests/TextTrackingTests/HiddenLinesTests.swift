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
        let found = matcher.match(LineTemplate(columns, of: whole), in: later, prediction: motion)
        let match = try #require(found)
        #expect(match.difference < 0.05)
        #expect(abs(match.motion.tx + 70) < 0.1)
        #expect(whole.columns(visibleAfter: Affine(x: -400, y: 0), in: Self.frame).isEmpty)
    }

    /// Track of a line in the frame, some of which `x` moves out of it.
    private static func track(_ box: Quad, of words: [String] = ["LINE"], movedBy x: Float = 0) -> Track {
        var frame = GrayPlane()
        frame.resize(width: Self.frame.width, height: Self.frame.height)
        frame.drawWaves { $0 }
        let width = box.width / Float(words.count)
        let line = TextLine(
            text: words.joined(separator: " "),
            confidence: 0.9,
            box: box,
            words: words.enumerated().map { index, text in
                let place = Quad(
                    x: box.topLeft.x + Float(index) * width,
                    y: box.topLeft.y,
                    width: 0.8 * width,
                    height: box.height
                )
                return TextWord(text: text, confidence: 0.9, box: place, characters: [])
            }
        )
        var track = Track(line, region: box, score: 0.9, in: frame)
        track.motion = Affine(x: x, y: 0)
        track.wordIDs = words.indices.map { UInt64($0 + 1) }
        return track
    }

    @Test func aNarrowLineIsNotCropped() {
        let track = Self.track(Quad(x: 2, y: 100, width: 6, height: 30))
        #expect(track.visibleColumns(after: .identity) != nil)
        #expect(track.visibleColumns(after: Affine(x: -5, y: 0)) == nil)
    }

    @Test func aPartlyHiddenLineIsNotSplit() {
        let box = Quad(x: 10, y: 100, width: 400, height: 20)
        var frame = GrayPlane()
        frame.resize(width: Self.frame.width, height: Self.frame.height)
        let isChanged = { (place: Quad) in place.topRight.x > 200 }
        let words = ["ONE", "TWO", "THREE", "FOUR"]
        #expect(Self.track(box, of: words).fragments(in: frame, splitLineID: 1, isChanged: isChanged).count > 1)
        let hidden = Self.track(box, of: words, movedBy: -150)
        #expect(hidden.isPartlyHidden)
        #expect(hidden.fragments(in: frame, splitLineID: 1, isChanged: isChanged).map(\.status) == [.lost])
    }

    @Test func aTruncatedLineGrowsByWhatComesIntoView() throws {
        let box = Quad(x: 0, y: 100, width: 100, height: 20)
        #expect(Self.track(box).grownPlace == nil)
        #expect(Self.track(box, movedBy: 2).grownPlace == nil)
        let place = try #require(Self.track(box, movedBy: 8).grownPlace)
        #expect(place == Quad(x: 0, y: 100, width: 108, height: 20))
        #expect(
            Self.track(Quad(x: 30, y: 100, width: 100, height: 20), movedBy: 8).grownPlace == nil,
            "no edge truncated it"
        )
        #expect(Self.track(box, movedBy: -30).grownPlace == nil, "it leaves")
    }

    @Test func tracksAreHiddenForTenSecondsAndNoMoreThanManyOfThem() {
        var hidden = HiddenTracks()
        hidden.add([Self.track(Quad(x: 10, y: 100, width: 100, height: 20))], at: .seconds(1))
        hidden.nextFrame(at: .seconds(11))
        #expect(hidden.wordIDs == [1])
        #expect(hidden.returning(after: Affine(x: -200, y: 0)).isEmpty)
        hidden.nextFrame(at: .seconds(11.5))
        #expect(hidden.wordIDs.isEmpty)
        for _ in 0..<100 { hidden.add([Self.track(Quad(x: 10, y: 100, width: 100, height: 20))], at: .seconds(12)) }
        #expect(hidden.places.count == 64)
    }
}
