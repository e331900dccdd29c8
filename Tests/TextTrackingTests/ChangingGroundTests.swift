import TextModel
import TextRecognition
import Testing

@testable import TextTracking

/// Text over a picture that changes behind it, such as a translucent caption.
@Suite struct ChangingGroundTests {
    private static let caption = Scene.Sign(text: "BREAKING NEWS", x: 120, y: 300)

    private static var scene: Scene {
        var scene = Scene(signs: [Self.caption, Scene.Sign(text: "LIVE", x: 40, y: 30)])
        scene.ground = (100, 280, 300, 60)
        return scene
    }

    @Test func textOnChangingGroundIsReadInItsPlaceAndNotScannedForAgain() throws {
        let camera = Camera()
        var scene = Self.scene
        try camera.settle(scene)
        let before = try camera.see(scene)
        for frame in 1...12 {
            scene.seed = UInt64(frame)
            // What changes around the caption is scanned in any case.
            scene.ground = (120, 300, Self.caption.width, Scene.letterHeight)
            let reading = try camera.see(scene)
            #expect(reading.texts == ["LIVE", "BREAKING NEWS"])
            #expect(reading.id("NEWS") == before.id("NEWS"))
            if frame == 2 { camera.reader.resetCounts() }
        }
        #expect(camera.reader.fullScans + camera.reader.partialScans == 0)
        #expect(camera.reader.readings == Array(repeating: "BREAKING NEWS", count: 10))
        let expected = camera.reader.expectations
        #expect(
            expected == [nil] + Array(repeating: "BREAKING NEWS", count: 9),
            "once it has converged, it is verified"
        )
    }

    @Test func readingsForTheVoteExpectNothing() throws {
        let camera = Camera()
        for _ in 0..<4 { try camera.see(Self.scene) }
        #expect(camera.reader.readings.count > 2)
        #expect(camera.reader.expectations.allSatisfy { $0 == nil })
    }

    @Test func whereAWordWasLostItsTextIsExpected() throws {
        let camera = Camera()
        var scene = Self.scene
        try camera.settle(scene)
        scene.seed = 1
        scene.signs[0].text = "BREAKING N0WS"
        try camera.see(scene)
        #expect(camera.reader.expectations == ["NEWS"])
        #expect(camera.reader.readings == ["N0WS"])
    }

    @Test func textThatChangesWithItsGroundIsNeverStale() throws {
        let camera = Camera()
        var scene = Self.scene
        try camera.settle(scene)
        for frame in 1...20 {
            scene.seed = UInt64(frame)
            if frame.isMultiple(of: 5) { scene.signs[0].text = "BREAKING N\(frame)" }
            #expect(try camera.see(scene).texts == ["LIVE", scene.signs[0].text], "frame \(frame)")
        }
        scene.signs.removeFirst()
        scene.seed = 99
        #expect(try camera.see(scene).texts == ["LIVE"])
    }

    @Test func wordsThatAScanOfRegionsMissesAreReadWhereTheyWere() throws {
        let camera = Camera()
        var scene = Scene(signs: [Scene.Sign(text: "THU 1403", x: 120, y: 300), Scene.Sign(text: "LIVE", x: 40, y: 30)])
        try camera.settle(scene)
        let before = try camera.see(scene)
        camera.reader.missedInRegions = 120 + 4 * Scene.letterWidth
        scene.ground = (120, 300, scene.signs[0].width, Scene.letterHeight)
        scene.signs[0].text = "THU 1404"
        let reading = try camera.see(scene)
        #expect(reading.texts == ["LIVE", "THU 1404"])
        #expect(reading.id("THU") == before.id("THU"))
        #expect(camera.reader.fullScans == 0)
    }

    @Test func aWordThatIsReadWhereItWasStaysInItsLine() throws {
        let camera = Camera()
        var scene = Scene(signs: [
            Scene.Sign(text: "LIVE", x: 40, y: 30), Scene.Sign(text: "PLATFORM 9", x: 300, y: 120),
            Scene.Sign(text: "EXIT", x: 400, y: 250), Scene.Sign(text: "THU 1403", x: 120, y: 300),
        ])
        try camera.settle(scene)
        let before = try camera.see(scene)
        camera.reader.missedInRegions = scene.width
        // Behind the last letter.
        scene.ground = (120 + 7 * Scene.letterWidth, 300, Scene.letterWidth, Scene.letterHeight)
        let reading = try camera.see(scene)
        #expect(camera.reader.readings == ["1403"])
        #expect(reading.texts == before.texts)
        #expect(reading.lines.flatMap(\.words).map(\.id) == before.lines.flatMap(\.words).map(\.id))
        #expect(camera.reader.fullScans == 0)
    }
}
