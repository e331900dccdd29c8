import GlyphwireProtocol
import TextModel
import TextRecognition
import Testing

@testable import TextTracking

@Suite struct TextStreamTests {
    static let twoSigns = Scene(signs: [
        .init(text: "PLATFORM 9", x: 60, y: 50), .init(text: "EXIT", x: 400, y: 250),
    ])

    @Test func equalFramesAreReadOnce() throws {
        let camera = Camera()
        let first = try camera.see(Self.twoSigns)
        #expect(first.texts == ["PLATFORM 9", "EXIT"])
        #expect(first.lines.map(\.state) == [.new, .new])
        try camera.settle(Self.twoSigns)
        for _ in 0..<30 {
            let next = try camera.see(Self.twoSigns)
            #expect(next.isReused)
            #expect(next.texts == first.texts)
            #expect(next.lines.map(\.state) == [.kept, .kept])
            #expect(next.lines.flatMap(\.words).map(\.id) == first.lines.flatMap(\.words).map(\.id))
        }
        #expect(camera.reader.fullScans == 0)
        #expect(camera.reader.readings.isEmpty)
    }

    @Test func aReleasedStreamHoldsNoMemoryAndItsWordsGetNewIDs() throws {
        let camera = Camera()
        let first = try camera.see(Self.twoSigns)
        #expect(camera.stream.byteCount >= 2 * Self.twoSigns.width * Self.twoSigns.height)
        camera.stream.release()
        #expect(camera.stream.byteCount == 0)
        let next = try camera.see(Self.twoSigns)
        #expect(next.texts == first.texts)
        #expect(next.lines.map(\.state) == [.new, .new])
        let (old, new) = (first.lines.flatMap(\.words).map(\.id), next.lines.flatMap(\.words).map(\.id))
        #expect(Set(old).isDisjoint(with: new))
    }

    @Test func sensorNoiseIsNoChange() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.noise = 6
        try camera.settle(scene)
        for frame in 0..<20 {
            scene.seed = UInt64(frame)
            #expect(try camera.see(scene).isReused)
        }
    }

    @Test func aChangeOfBrightnessIsNoChange() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.noise = 2
        try camera.settle(scene)
        for frame in 0..<30 {
            scene.light = 1 + Float(frame % 12 - 6) / 50
            scene.seed = UInt64(frame)
            #expect(try camera.see(scene).isReused, "at frame \(frame)")
        }
    }

    @Test func aNoisyFrameIsScannedAgainAfterTheRefreshTime() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.noise = 2
        try camera.settle(scene)
        var scannedFrames: [Int] = []
        for frame in 1...101 {
            scene.seed = UInt64(frame)
            try camera.see(scene)
            if camera.reader.fullScans > 0 { scannedFrames.append(frame) }
            camera.reader.resetCounts()
        }
        #expect(scannedFrames.count == 2)
        #expect(scannedFrames.last.map { $0 - scannedFrames[0] } == 50)
    }

    @Test func aPictureThatRepeatsAfterAChangeIsScannedInFullOnce() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        try camera.settle(scene)
        scene.signs.append(.init(text: "NOW", x: 300, y: 320))
        try camera.see(scene)
        #expect(camera.reader.fullScans == 0)
        for _ in 0..<4 { #expect(try camera.see(scene, after: .seconds(3)).texts.contains("NOW")) }
        #expect(camera.reader.fullScans == 1)
    }

    @Test(arguments: [false, true]) func aLineThatARefreshMissesStaysWhileItCanBeRead(isLegible: Bool) throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.noise = 2
        try camera.settle(scene)
        let id = try camera.see(scene).id("EXIT")
        scene.signs[1].isFound = false
        if !isLegible { camera.reader.illegible = ["EXIT"] }
        for frame in 1...4 {
            scene.seed = UInt64(10 + frame)
            let reading = try camera.see(scene, after: .seconds(3))
            #expect(reading.id("EXIT") == (isLegible ? id : nil))
        }
        #expect(camera.reader.fullScans == 4)
    }

    @Test func aLineOfWhichARefreshDetectsAPieceStaysWhole() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.noise = 2
        try camera.settle(scene)
        let before = try camera.see(scene)
        scene.signs[0].isFound = false
        scene.signs.append(.init(text: "9", x: scene.signs[0].x + 9 * Scene.letterWidth, y: scene.signs[0].y))
        for refresh in 1...3 {
            scene.seed = UInt64(10 + refresh)
            let reading = try camera.see(scene, after: .seconds(3))
            #expect(reading.texts == before.texts)
            #expect(reading.lines.flatMap(\.words).map(\.id) == before.lines.flatMap(\.words).map(\.id))
        }
    }

    @Test func anOverlayThatChangesIsReadAsAWholeThoughTheCameraMoves() throws {
        let camera = Camera()
        let names = ["ALPHA", "BRAVO", "CHARLIE", "DELTA", "ECHO", "FOXTROT", "GOLF", "HOTEL", "INDIA"]
        let wall = names.enumerated().map { index, name in
            Scene.Sign(text: name, x: 40 + 170 * index, y: 40 + 75 * (index % 3))
        }
        for frame in 0..<12 {
            var scene = Scene(signs: wall)
            scene.pan.x = 40 * frame
            let clock = "CLOCK \(12 + frame / 4)"
            scene.signs.append(.init(text: clock, x: scene.pan.x + 260, y: 330))
            #expect(try camera.see(scene).texts.contains(clock), "in frame \(frame)")
        }
        #expect(camera.reader.partialScans > 0)
    }

    @Test func onlyTheTextThatAppearsIsReadInItsFrame() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.noise = 2
        try camera.settle(scene)
        scene.signs.append(.init(text: "NOW", x: 300, y: 320))
        let reading = try camera.see(scene)
        #expect(reading.texts == ["PLATFORM 9", "EXIT", "NOW"])
        #expect(reading.lines.map(\.state) == [.kept, .kept, .new])
        #expect(camera.reader.readings == ["NOW"])
        #expect(camera.reader.fullScans == 0)
    }

    /// Frames of a scene in the lower part of which a large object comes and goes.
    static func restless(_ scene: Scene, frames: Int, _ body: (Scene) throws -> Void) rethrows {
        var scene = scene
        for frame in 0..<frames {
            scene.cover = frame.isMultiple(of: 2) ? (x: 0, y: 100, width: 640, height: 284) : nil
            try body(scene)
        }
    }

    @Test func framesOfWhichMostChangesAreScannedCoarsely() throws {
        let camera = Camera()
        var scene = Scene(signs: [.init(text: "PLATFORM 9", x: 60, y: 50)])
        try camera.settle(scene)
        let id = try camera.see(scene).id("PLATFORM")
        try Self.restless(scene, frames: 24) { scene in
            let reading = try camera.see(scene)
            #expect(reading.texts == ["PLATFORM 9"])
            #expect(reading.id("PLATFORM") == id)
        }
        #expect(camera.reader.fullScans == 3)
        #expect(camera.reader.coarseScans == 21)
        #expect(camera.reader.readings.isEmpty)
        scene.signs.append(.init(text: "NOW", x: 400, y: 20))
        camera.reader.resetCounts()
        try Self.restless(scene, frames: 4) { scene in
            let reading = try camera.see(scene)
            #expect(reading.texts == ["NOW", "PLATFORM 9"])
        }
        #expect(camera.reader.readings.allSatisfy { $0 == "NOW" })
        #expect(camera.reader.fullScans == 2, "new text is followed by full scans")
    }

    @Test func framesWithoutTextAreScannedCoarselyUntilTextComesIntoView() throws {
        let camera = Camera()
        let scene = Scene(signs: [])
        try camera.settle(scene)
        try Self.restless(scene, frames: 16) { _ = try camera.see($0) }
        camera.reader.resetCounts()
        try Self.restless(scene, frames: 24) { scene in
            let reading = try camera.see(scene)
            #expect(reading.texts.isEmpty)
        }
        #expect(camera.reader.fullScans == 3)
        #expect(camera.reader.coarseScans == 21)
        let signs = [Scene.Sign(text: "DEPARTURES", x: 300, y: 20), Scene.Sign(text: "FAINT", x: 60, y: 60)]
        camera.reader.missedCoarsely = ["FAINT"]
        try Self.restless(Scene(signs: signs), frames: 4) { scene in
            let reading = try camera.see(scene)
            // A full scan follows the first text in its frame.
            #expect(reading.texts.sorted() == ["DEPARTURES", "FAINT"])
        }
    }

    @Test func faintTextThatNoCoarseScanSeesIsFoundThoughNoTextIsKnown() throws {
        let camera = Camera()
        camera.reader.missedCoarsely = ["FAINT"]
        try camera.settle(Scene(signs: []))
        try Self.restless(Scene(signs: []), frames: 24) { _ = try camera.see($0) }
        var isFound = false
        try Self.restless(Scene(signs: [.init(text: "FAINT", x: 300, y: 20)]), frames: 8) { scene in
            let texts = try camera.see(scene).texts
            isFound = isFound || texts == ["FAINT"]
        }
        #expect(isFound)
    }

    @Test func aLineThatOnlyPartOfItsRegionProposesIsReadAsAWhole() throws {
        let camera = Camera()
        camera.reader.proposedLetters = 3
        var scene = Scene(signs: [.init(text: "PLATFORM 9", x: 60, y: 50)])
        try camera.settle(scene)
        try Self.restless(scene, frames: 24) { _ = try camera.see($0) }
        scene.signs.append(.init(text: "DEPARTURES", x: 300, y: 20))
        #expect(try camera.see(scene).texts.contains("DEPARTURES"))
    }

    @Test func anIllegibleLineThatRegionsCutOffIsNotScannedInFullInEachFrame() throws {
        let camera = Camera()
        camera.reader.proposedLetters = 3
        camera.reader.illegible = ["DEPARTURES"]
        let signs = [Scene.Sign(text: "PLATFORM 9", x: 60, y: 50), Scene.Sign(text: "DEPARTURES", x: 300, y: 20)]
        let scene = Scene(signs: signs)
        try camera.settle(scene)
        try Self.restless(scene, frames: 24) { scene in
            let texts = try camera.see(scene).texts
            #expect(texts == ["PLATFORM 9"])
        }
        camera.reader.resetCounts()
        try Self.restless(scene, frames: 16) { scene in
            let texts = try camera.see(scene).texts
            #expect(texts == ["PLATFORM 9"])
        }
        #expect(camera.reader.coarseScans >= 14)
        #expect(camera.reader.fullScans <= 3)
    }

    @Test func aLineInAnUnavailableScriptKeepsItsIDs() throws {
        let camera = Camera()
        camera.reader.unavailable = ["PLATFORM 9"]
        var scene = Self.twoSigns
        scene.noise = 2
        let first = try camera.see(scene)
        #expect(first.texts == ["", "EXIT"])
        #expect(first.lines.map(\.reason) == [.scriptUnavailable, nil])
        let ids = first.lines[0].words.map(\.id)
        #expect(ids.count == 2 && !ids.contains(nil))
        try camera.settle(scene)
        for frame in 1...8 {
            scene.seed = UInt64(frame)
            let reading = try camera.see(scene)
            #expect(reading.lines[0].words.map(\.id) == ids)
            #expect(reading.lines[0].state == .kept)
            #expect((reading.lines[0].script, reading.lines[0].reason) == ("Cyrl", .scriptUnavailable))
            #expect(reading.lost.isEmpty)
        }
        // It moves with the camera, and is lost with its words.
        scene.pan.y += 8
        #expect(try camera.see(scene).lines[0].words.map(\.id) == ids)
        scene.signs.removeFirst()
        let last = try camera.see(scene)
        #expect(last.texts == ["EXIT"])
        #expect(last.lost == ids.compactMap(\.self))
    }

    @Test func aPartOfALineInAnUnavailableScriptIsOneToo() throws {
        let camera = Camera()
        camera.reader.unavailable = ["PLATFORM 9"]
        let line = try #require(try camera.see(Self.twoSigns).lines.first)
        let part = try #require(line.restricted(to: [line.words[1]]))
        #expect((part.text, part.script, part.reason) == ("", "Cyrl", .scriptUnavailable))
    }

    @Test func textThatVanishesIsLostInItsFrame() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        try camera.settle(scene)
        let id = try camera.see(scene).id("EXIT")
        scene.signs.removeLast()
        let reading = try camera.see(scene)
        #expect(reading.texts == ["PLATFORM 9"])
        #expect(reading.lost == [try #require(id)])
        #expect(try camera.see(scene).lost.isEmpty)
    }

    /// Word before it is lost, and after it is detected again.
    private struct Return {
        var before: UInt64?
        var after: UInt64?
        var state: TextLine.State?

        /// - Parameters:
        ///   - wait: The time for which it is lost.
        ///   - text: Its text after that.
        ///   - pan: The pixels by which the camera moves down meanwhile, in steps of 8.
        ///   - change: Another change meanwhile.
        init(
            after wait: Duration,
            as text: String = "EXIT",
            pan: Int = 0,
            change: (Camera) -> Void = { _ in }
        ) throws {
            let camera = Camera()
            var scene = TextStreamTests.twoSigns
            scene.signs.insert(.init(text: "TO ALL TRAINS", x: 200, y: 140), at: 0)
            scene.signs.insert(.init(text: "WAY OUT", x: 120, y: 320), at: 0)
            try camera.settle(scene)
            self.before = try camera.see(scene).id("EXIT")
            let sign = scene.signs.removeLast()
            #expect(try camera.see(scene).lost == [try #require(self.before)])
            while scene.pan.y < pan {
                scene.pan.y += 8
                #expect(try camera.see(scene).lost.isEmpty)
            }
            change(camera)
            scene.signs.append(.init(text: text, x: sign.x, y: sign.y))
            let reading = try camera.see(scene, after: wait)
            self.after = reading.id(text)
            self.state = reading.lines.first { $0.text == text }?.state
        }
    }

    @Test(arguments: [(Duration.milliseconds(40), 0), (.seconds(10), 0), (.milliseconds(40), 24)])
    func aWordThatComesBackInItsPlaceKeepsItsID(wait: Duration, pan: Int) throws {
        let word = try Return(after: wait, pan: pan)
        #expect(word.after == word.before)
        #expect(word.state == .read)
    }

    @Test(arguments: ["EXITS", "EX1T", "XIT"]) func aWordThatComesBackWithAnotherLetterKeepsItsID(text: String) throws {
        let word = try Return(after: .milliseconds(40), as: text)
        #expect((word.after == word.before) == (text != "EX1T"))
    }

    @Test func aWordWithAnotherTextOrAfterTheRetentionIsNew() throws {
        for word in [try Return(after: .milliseconds(10_040)), try Return(after: .zero, as: "TAXI")] {
            #expect(word.after != word.before)
            #expect(word.state == .new)
        }
    }

    @Test func noWordIsReidentifiedInAStreamThatStartedAnew() throws {
        let word = try Return(after: .milliseconds(40)) { $0.options.level = .accurate }
        #expect(word.after != word.before)
        #expect(word.state == .new)
    }

    @Test func aWordThatIsLostAndFoundInOneFrameKeepsItsID() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        try camera.settle(scene)
        let id = try camera.see(scene).id("EXIT")
        // A scan of regions misses it, its place is misread, and then the refresh finds it.
        camera.reader.missedInRegions = scene.width
        camera.reader.misreadings = ["EXIT": ["EX1T"]]
        scene.ground = (400, 250, scene.signs[1].width, Scene.letterHeight)
        let reading = try camera.see(scene, after: .seconds(3))
        #expect(camera.reader.readings == ["EX1T", "EXIT"])
        #expect(reading.id("EXIT") == id)
        #expect(reading.lost.isEmpty)
    }

    @Test func aCounterIsNeverStale() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.noise = 3
        for count in 90..<130 {
            scene.seed = UInt64(count)
            scene.signs[0].text = "COUNT " + String(repeating: "0", count: 3 - String(count).count) + String(count)
            let reading = try camera.see(scene)
            #expect(reading.texts.first == scene.signs[0].text)
            #expect(reading.texts.count == 2)
        }
    }

    @Test func wordsBesideOneThatChangesKeepTheirIDs() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        try camera.settle(scene)
        let before = try camera.see(scene)
        scene.signs[0].text = "PLATFORM 8"
        let after = try camera.see(scene)
        #expect(after.id("PLATFORM") == before.id("PLATFORM"))
        #expect(after.id("8") != before.id("9"))
        #expect(after.lost == [try #require(before.id("9"))])
        #expect(after.lines.map(\.state) == [.read, .kept])
    }

    @Test(arguments: [("EXAT", false), ("EXITS", true)])
    func aSimilarWordThatReplacesOneBeforeAStillCameraHasAnotherID(text: String, isSame: Bool) throws {
        let camera = Camera()
        var scene = Self.twoSigns
        try camera.settle(scene)
        let id = try #require(try camera.see(scene).id("EXIT"))
        scene.signs[1].text = text
        let reading = try camera.see(scene)
        #expect((reading.id(text) == id) == isSame)
        #expect(reading.lost == (isSame ? [] : [id]))
    }

    @Test func onlyTheWordsThatChangeAreReadAgain() throws {
        let camera = Camera()
        var scene = Scene(signs: [.init(text: "GATE 12 TO ROME", x: 60, y: 50)])
        try camera.settle(scene)
        let before = try camera.see(scene)
        scene.signs[0].text = "GATE 47 TO ROME"
        let after = try camera.see(scene)
        #expect(camera.reader.readings == ["47"])
        #expect(after.texts == ["GATE 47 TO ROME"])
        for word in ["GATE", "TO", "ROME"] { #expect(after.id(word) == before.id(word)) }
        #expect(after.lines[0].box == before.lines[0].box)
        // The line converges as a whole.
        camera.reader.resetCounts()
        #expect(try camera.see(scene).texts == ["GATE 47 TO ROME"])
        #expect(camera.reader.readings == ["GATE 47 TO ROME"])
    }

    @Test func aLineWithOccludedWordsIsTwoLinesUntilTheOcclusionEnds() throws {
        let camera = Camera()
        var scene = Scene(signs: [.init(text: "GATE 12345 TO ROME", x: 60, y: 50)])
        try camera.settle(scene)
        let before = try camera.see(scene)
        let hidden = scene.signs[0].x + 5 * Scene.letterWidth
        scene.cover = (hidden, 40, 5 * Scene.letterWidth, 40)
        scene.signs[0].isFound = false
        let during = try camera.see(scene)
        #expect(during.texts == ["GATE", "TO ROME"])
        #expect(camera.reader.readings.isEmpty)
        scene.cover = nil
        scene.signs[0].isFound = true
        let after = try camera.see(scene, after: .seconds(3))
        #expect(after.texts == ["GATE 12345 TO ROME"])
        for word in ["GATE", "TO", "ROME"] { #expect(after.id(word) == before.id(word)) }
    }

    @Test func aLineIsReadAsAWholeWhenOtherReadingsAreRequested() throws {
        let camera = Camera()
        camera.options.candidates = 3
        var scene = Self.twoSigns
        try camera.settle(scene)
        scene.signs[0].text = "PLATFORM 8"
        #expect(try camera.see(scene).texts == ["PLATFORM 8", "EXIT"])
        #expect(camera.reader.readings == ["PLATFORM 8"])
    }

    @Test func aLineThatGrowsByALetterIsReadAgain() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.signs[0].text = "PLATFOR"
        try camera.settle(scene)
        scene.signs[0].text = "PLATFORM"
        #expect(try camera.see(scene).texts == ["PLATFORM", "EXIT"])
    }

    @Test func aKnownWordThatARegionTruncatesIsReadAsAWhole() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.signs[0].text = "PLATFORM"
        try camera.settle(scene)
        let id = try camera.see(scene).id("PLATFORM")
        let sign = scene.signs[0]
        scene.signs[0].text = "PLATFORM 9"
        // A change below, by which the greater part of the word is scanned.
        scene.cover = (sign.x + 4 * Scene.letterWidth, sign.y + Scene.letterHeight + 12, 60, 30)
        let after = try camera.see(scene)
        #expect(camera.reader.partialScans == 1)
        #expect(after.texts == ["PLATFORM 9", "EXIT"])
        #expect(after.id("PLATFORM") == id)
    }

    @Test func fragmentsThatGrowTogetherAreReadAsOneLine() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        let whole = scene.signs[0]
        var end = whole
        end.text = "FORM"
        end.x += 5 * Scene.letterWidth
        scene.signs[0].text = "PLAT"
        scene.signs.append(end)
        try camera.settle(scene)
        #expect(try camera.see(scene).texts == ["PLAT", "FORM", "EXIT"])
        scene.signs.removeLast()
        scene.signs[0].text = "PLATXFORM"
        #expect(try camera.see(scene).texts == ["PLATXFORM", "EXIT"])
        #expect(try camera.see(scene).texts == ["PLATXFORM", "EXIT"])
    }

    @Test func aTruncatedWordKeepsItsIDWhateverIsVisibleOfIt() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        scene.signs[0] = Scene.Sign(text: "ARKET", x: 0, y: scene.signs[0].y)
        try camera.settle(scene)
        let id = try camera.see(scene).id("ARKET")
        scene.signs[0].text = "HARKE"
        #expect(try camera.see(scene).id("HARKE") == id)
    }

    @Test func theMostFrequentReadingIsReported() throws {
        let camera = Camera()
        camera.reader.misreadings = ["EXIT": ["EX1T"]]
        let first = try camera.see(Self.twoSigns)
        #expect(first.texts == ["PLATFORM 9", "EX1T"])
        try camera.settle(Self.twoSigns)
        let last = try camera.see(Self.twoSigns)
        #expect(last.texts == ["PLATFORM 9", "EXIT"])
        #expect(last.id("EXIT") == first.id("EX1T"))
        #expect(last.lost.isEmpty)
    }

    @Test func aMovingObjectWithoutTextIsScannedInEverySecondFrame() throws {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        for frame in 0..<20 {
            var scene = Self.twoSigns
            scene.cover = (250 + 8 * frame, 160, 60, 40)
            #expect(try camera.see(scene).texts == ["PLATFORM 9", "EXIT"])
        }
        #expect(camera.reader.partialScans == 10)
        #expect(camera.reader.readings.isEmpty && camera.reader.fullScans == 0)
    }

    @Test func aFrameWithASkippedRegionIsNotReportedAsReused() throws {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        var scene = Self.twoSigns
        scene.cover = (250, 160, 60, 40)
        #expect(try !camera.see(scene).isReused)
        scene.cover = (258, 160, 60, 40)
        camera.reader.resetCounts()
        #expect(try !camera.see(scene).isReused)
        #expect(camera.reader.partialScans == 0)
        try camera.see(scene)
        #expect(try camera.see(scene).isReused)
    }

    @Test func aReleasedStreamForgetsItsBackOffRegions() throws {
        let camera = Camera()
        var scene = Self.twoSigns
        try camera.settle(scene)
        scene.cover = (250, 160, 60, 40)
        try camera.see(scene)
        camera.stream.release()
        try camera.see(scene)
        scene.signs.append(.init(text: "NOW", x: 300, y: 210))
        #expect(try camera.see(scene).texts.contains("NOW"))
    }

    @Test(arguments: 4..<8)
    func textThatAppearsOnAMovingObjectIsOneFrameLateAtMost(first: Int) throws {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        for frame in 0..<10 {
            var scene = Self.twoSigns
            scene.cover = (250 + 8 * frame, 160, 60, 40)
            if frame >= first { scene.signs.append(.init(text: "NOW", x: 300, y: 210)) }
            let reported = try camera.see(scene).texts.contains("NOW")
            #expect(reported == (frame >= first) || frame == first)
        }
    }

    /// Readings of two signs when `found` is detected in the place of one, beside a change.
    private static func readings(finding found: Scene.Sign, for sign: Int) throws -> [String] {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        var scene = Self.twoSigns
        // The same pixels as before, and a change beside them.
        scene.signs[sign].isFound = false
        scene.signs.append(found)
        scene.cover = (found.x, found.y + Scene.letterHeight + 12, found.width, 30)
        #expect(try camera.see(scene).texts == ["PLATFORM 9", "EXIT"])
        #expect(camera.reader.partialScans == 1)
        return camera.reader.readings
    }

    @Test(arguments: [("FORM 9", 0, false), ("M 9", 33, false), ("M 9", 45, true)])
    func aDetectionMostlyInsideAKnownLineIsAFragmentOfIt(text: String, reach: Int, isRead: Bool) throws {
        let line = Self.twoSigns.signs[0]
        let x = line.x + (line.text.count - text.count) * Scene.letterWidth
        let fragment = Scene.Sign(text: text, x: x, y: line.y, reach: reach)
        #expect(try Self.readings(finding: fragment, for: 0).isEmpty != isRead)
    }

    @Test(arguments: [(11, false), (14, true)])
    func aDetectionMayExtendAKnownLineByAlmostHalfItsHeight(reach: Int, isRead: Bool) throws {
        var line = Self.twoSigns.signs[1]
        line.reach = reach
        #expect(try Self.readings(finding: line, for: 1).isEmpty != isRead)
    }

    @Test func aDetectionOfThePageAroundLinesReplacesNone() throws {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        camera.reader.findsPage = true
        var scene = Self.twoSigns
        scene.cover = (250, 160, 30, 60)
        try camera.see(scene)
        #expect(try camera.see(scene, after: .seconds(2)).texts == ["PLATFORM 9", "EXIT"])
        #expect(camera.reader.fullScans == 1)
    }

    @Test func aLineOnAPageThatWasTakenForALineIsRead() throws {
        let camera = Camera()
        camera.reader.findsPage = true
        var scene = Self.twoSigns
        for sign in scene.signs.indices { scene.signs[sign].isFound = false }
        #expect(try camera.see(scene).texts == ["PLATFORM 9"])
        scene.signs[1].isFound = true
        scene.cover = (250, 160, 30, 60)
        #expect(try camera.see(scene, after: .seconds(2)).texts == ["PLATFORM 9", "EXIT"])
    }

    @Test func textThatIsLostBeforeAMovingCameraIsScannedInFull() throws {
        let camera = Camera()
        let picture = [160, 220, 400].map { Scene.Sign(text: "RAILWAYSTATION", x: 100, y: $0, isFound: false) }
        func scene(_ frame: Int, _ texts: [String]) -> Scene {
            let signs = texts.enumerated().map { Scene.Sign(text: $1, x: 120 + 60 * $0, y: [100, 290, 340][$0]) }
            var scene = Scene(signs: signs + picture)
            scene.pan.x = 2 * frame
            return scene
        }
        for frame in 0..<6 { try camera.see(scene(frame, ["PLATFORM", "STATIONS", "TERMINAL"])) }
        camera.reader.missedInRegions = Int.max
        camera.reader.resetCounts()
        let texts = try camera.see(scene(6, ["PLATFORM", "CORRIDOR", "TERMINAL"])).texts
        #expect(texts == ["PLATFORM", "CORRIDOR", "TERMINAL"])
        #expect(camera.reader.fullScans == 1)
    }

    @Test func theEdgeOfAMovingObjectIsNoLine() throws {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        camera.reader.findsEdges = true
        for frame in 0..<10 {
            var scene = Self.twoSigns
            scene.cover = (250 + 8 * frame, 160, 30, 120)
            #expect(try camera.see(scene).texts == ["PLATFORM 9", "EXIT"])
        }
        #expect(camera.reader.partialScans > 0)
        #expect(camera.reader.linesRequested == 0)
    }

    @Test(arguments: [(152, false), (230, true)])
    func aPieceOfAKnownLineAndMoreIsNoLineThoughTheCameraMoves(y: Int, isRead: Bool) throws {
        let camera = Camera()
        let lines = ["PLATFORM", "STATIONS", "TERMINAL"].enumerated().map { index, text in
            Scene.Sign(text: text, x: 120 + 60 * index, y: [100, 290, 340][index])
        }
        func scene(_ frame: Int, _ signs: [Scene.Sign] = []) -> Scene {
            var scene = Scene(signs: lines + signs)
            scene.pan.x = 5 * frame
            return scene
        }
        for frame in 0..<6 { try camera.see(scene(frame)) }
        camera.reader.findsEdges = true
        // The region around it shows the lower part of the first line, or no other.
        let piece = Scene.Sign(text: "HUGE", x: 170, y: y, isFound: false)
        let texts = try camera.see(scene(6, [piece])).texts
        #expect(texts.contains("HUGE") == isRead)
        #expect(lines.allSatisfy { texts.contains($0.text) })
        #expect(camera.reader.partialScans > 0)
    }

    @Test func textThatIsTakenForAnEdgeIsReadOnceItIsDetected() throws {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        var scene = Self.twoSigns
        scene.signs.append(.init(text: "HUGE", x: 300, y: 150, isFound: false))
        camera.reader.findsEdges = true
        #expect(try camera.see(scene).texts == ["PLATFORM 9", "EXIT"])
        camera.reader.findsEdges = false
        scene.signs[2].isFound = true
        try camera.see(scene)
        #expect(try camera.see(scene).texts.contains("HUGE"))
    }

    @Test func illegibleTextIsReadWithExponentialBackOff() throws {
        let camera = Camera()
        func see(_ text: String) throws -> Bool {
            let sign = Scene.Sign(text: text, x: 300, y: 150)
            let reported = try camera.see(Scene(signs: Self.twoSigns.signs + [sign])).texts
            #expect(Set(reported).isSuperset(of: ["PLATFORM 9", "EXIT"]))
            return reported.contains(text)
        }
        // Text that differs as a whole in each frame.
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        let texts = (0..<50).map { String(letters[$0..<$0 + 4]) }
        camera.reader.illegible = Set(texts.prefix(40))
        var read: [Int] = []
        for (index, text) in texts.prefix(40).enumerated() {
            #expect(try !see(text))
            if camera.reader.readings.contains(text) { read.append(index) }
        }
        // Back-off of 1, 2, 4 and 8 scans; every second frame is scanned.
        #expect(read == [0, 3, 7, 13, 23, 33])
        let legible = try texts.suffix(10).map(see)
        #expect(legible.firstIndex(of: true) == 3)
    }

    @Test func changedTextThatIsIllegibleOnceIsReadInTheNextFrame() throws {
        let camera = Camera()
        func see(_ text: String) throws -> [String] {
            try camera.see(Scene(signs: Self.twoSigns.signs + [Scene.Sign(text: text, x: 300, y: 150)])).texts
        }
        for _ in 0..<4 { #expect(try see("ABCD").contains("ABCD")) }
        camera.reader.illegible = ["EFGH"]
        #expect(try see("EFGH") == ["PLATFORM 9", "EXIT"])
        #expect(try see("IJKL").contains("IJKL"))
    }

    @Test func aNewSceneEmptiesTheNegativeCache() throws {
        let camera = Camera()
        camera.reader.illegible = ["A11Z"]
        let sign = Scene.Sign(text: "A11Z", x: 300, y: 150)
        #expect(try camera.see(Scene(signs: Self.twoSigns.signs + [sign])).texts == ["PLATFORM 9", "EXIT"])
        var other = Scene(signs: [.init(text: "B22Y", x: 300, y: 150)])
        other.noise = 80
        #expect(try camera.see(other).texts == ["B22Y"])
    }

    @Test func aCutCausesAFullScan() throws {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        var other = Scene(signs: [.init(text: "ARRIVALS", x: 120, y: 200)])
        other.noise = 80
        let reading = try camera.see(other)
        #expect(camera.reader.fullScans == 1)
        #expect(reading.texts == ["ARRIVALS"])
        #expect(reading.lost.count == 3)
    }

    @Test func otherOptionsStartTheStreamAnew() throws {
        let camera = Camera()
        try camera.settle(Self.twoSigns)
        let before = try camera.see(Self.twoSigns)
        camera.options.characters = false
        let after = try camera.see(Self.twoSigns)
        #expect(after.lines.map(\.state) == [.new, .new])
        #expect(Set(after.lost) == Set(before.lines.flatMap(\.words).compactMap(\.id)))
    }

    @Test func theOrientationOfAStreamIsEstimatedOnce() throws {
        let camera = Camera()
        camera.options.upright = .auto
        camera.orientation = .right
        let first = try camera.see(Self.twoSigns)
        #expect(first.orientation == .up)
        #expect(first.texts == ["PLATFORM 9", "EXIT"])
        #expect(camera.reader.fullScans == 2)
        try camera.settle(Self.twoSigns)
        for _ in 0..<100 { #expect(try camera.see(Self.twoSigns).orientation == .up) }
        #expect(camera.reader.fullScans == 0)
    }

    @Test func theOrientationOfAStreamIsEstimatedUntilItsTextShowsIt() throws {
        let camera = Camera()
        camera.options.upright = .auto
        camera.orientation = .down
        #expect(try camera.see(Scene()).orientation == .down)
        let appeared = try camera.see(Self.twoSigns)
        #expect(appeared.orientation == .up && appeared.lines.count == 2)
        // Another declared orientation: it is estimated anew.
        camera.orientation = .up
        #expect(try camera.see(Self.twoSigns).orientation == .up)
    }

    /// Converged square scene before a camera that may be turned.
    private static func squareScene() throws -> (camera: Camera, scene: Scene) {
        let camera = Camera()
        camera.options.upright = .auto
        var scene = Self.twoSigns
        scene.height = scene.width
        try camera.settle(scene)
        return (camera, scene)
    }

    @Test func aTurnOfTheCameraIsDetectedInItsFirstFrame() throws {
        var (camera, scene) = try Self.squareScene()
        let before = try camera.see(scene)
        for quarterTurns in [1, 2, 3, 3, 0] {
            scene.quarterTurns = quarterTurns
            let reading = try camera.see(scene)
            #expect(reading.orientation == .up.turned(byQuarterTurns: quarterTurns))
            #expect(reading.texts == before.texts)
            #expect(camera.reader.fullScans <= 3)
            camera.reader.resetCounts()
        }
    }

    @Test func anEstimateThatChangesNothingIsRepeatedAfterTheRefreshTime() throws {
        var (camera, scene) = try Self.squareScene()
        scene.quarterTurns = 1
        camera.reader.hidesOrientation = true
        for count in 100...200 {
            scene.signs[0].text = "COUNT \(count)"
            let reading = try camera.see(scene)
            #expect(reading.orientation == .up && reading.texts.count == 2)
        }
        #expect(camera.reader.orientationScans == 3)
        camera.reader.hidesOrientation = false
        scene.signs[0].text = "COUNT 201"
        #expect(try camera.see(scene).orientation == .up)
        scene.signs[0].text = "COUNT 202"
        #expect(try camera.see(scene, after: .seconds(2)).orientation == .right)
    }

    @Test func textWithoutOrientationIsScannedAgainAfterTheRefreshTime() throws {
        let camera = Camera()
        camera.options.upright = .auto
        var scene = Scene(signs: [.init(text: "9", x: 60, y: 50)])
        scene.height = scene.width
        try camera.settle(scene)
        scene.quarterTurns = 1
        scene.noise = 2
        var scannedFrames: [Int] = []
        for frame in 1...101 {
            scene.seed = UInt64(frame)
            let reading = try camera.see(scene)
            #expect(reading.orientation == .up && reading.texts == ["9"])
            if camera.reader.fullScans > 1 { scannedFrames.append(frame) }
            camera.reader.resetCounts()
        }
        #expect(scannedFrames.count == 2)
        #expect(scannedFrames.last.map { $0 - scannedFrames[0] } == 50)
    }

    @Test(arguments: Orientation.allCases)
    func changesAreDetectedInEveryOrientation(_ orientation: Orientation) throws {
        let camera = Camera()
        camera.orientation = orientation
        var scene = Self.twoSigns
        try camera.settle(scene)
        scene.signs[1].text = "EXIL"
        let reading = try camera.see(scene)
        #expect(Set(reading.texts) == ["PLATFORM 9", "EXIL"])
        #expect(camera.reader.readings == ["EXIL"])
        #expect(camera.reader.partialScans == 1)
    }

    private static func faintScene(_ text: String, opacity: Float) -> Scene {
        var scene = Scene(signs: [Scene.Sign(text: text, x: 60, y: 60, opacity: opacity)])
        scene.minOpacity = 0.001
        return scene
    }

    @Test func faintTextThatChangesBeforeAStillCameraIsReadInItsFrame() throws {
        let camera = Camera()
        try camera.settle(Self.faintScene("GATE81", opacity: 0.02))
        // No cell changes by as much as the noise of a frame may.
        #expect(try camera.see(Self.faintScene("GATE67", opacity: 0.02)).texts == ["GATE67"])
        #expect(camera.reader.fullScans + camera.reader.partialScans == 0)
    }

    @Test func faintTextThatChangesAmongMuchElseIsReadThoughTheFrameIsRepeated() throws {
        let camera = Camera()
        try camera.settle(Self.faintScene("GATE81", opacity: 0.02))
        try Self.restless(Self.faintScene("GATE81", opacity: 0.02), frames: 12) { _ = try camera.see($0) }
        var last = Self.faintScene("GATE67", opacity: 0.02)
        last.cover = (x: 0, y: 100, width: 640, height: 284)
        var texts: [String] = []
        for _ in 0..<8 { texts = try camera.see(last).texts }
        #expect(texts == ["GATE67"])
    }

    @Test func textOfASingleStepOfBrightnessThatChangesIsReadByTheNextRefresh() throws {
        let camera = Camera()
        func scene(_ text: String) -> Scene { Self.faintScene(text, opacity: 0.004) }
        try camera.settle(scene("GATE81"))
        #expect(try camera.see(scene("GATE67")).texts == ["GATE81"])
        #expect(try camera.see(scene("GATE67"), after: .seconds(3)).texts == ["GATE67"])
    }
}
