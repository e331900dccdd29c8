import TextModel
import ImageCodecs
import GlyphwireProtocol
import TextRecognition
import Testing

@testable import TextTracking

@Suite struct CameraMotionTests {
    /// Wall of signs that is wider and higher than a frame.
    static let wall = Scene(
        signs: (0..<12).flatMap { row in
            (0..<5).map { column in
                Scene.Sign(
                    text: "R\(row)C\(column) \("NORTHWESTEAS".dropFirst(row).prefix(3))",
                    x: 20 + 190 * column + 13 * (row % 3),
                    y: 15 + 60 * row
                )
            }
        }
    )

    @Test func wordsMoveWithTheCameraWithoutBeingReadAgain() throws {
        let camera = Camera()
        var scene = Self.wall
        // None that the frame's edge truncates.
        scene.signs.removeAll { $0.x + $0.width > scene.width - 5 || $0.y + Scene.letterHeight > scene.height - 5 }
        scene.noise = 2
        try camera.settle(scene)
        let before = try camera.see(scene)
        for frame in 1...6 {
            scene.pan = (frame, frame)
            scene.seed = UInt64(frame)
            let reading = try camera.see(scene)
            for line in reading.lines {
                let sign = try #require(scene.signs.first { $0.text == line.text })
                let truth = scene.quad(of: sign)
                #expect(abs(line.box.topLeft.x - truth.topLeft.x) < 0.6)
                #expect(abs(line.box.bottomRight.y - truth.bottomRight.y) < 0.6)
            }
            #expect(reading.id("R3C1") == before.id("R3C1"))
        }
        #expect(camera.reader.readings.isEmpty)
        #expect(camera.reader.fullScans == 0)
    }

    @Test func anUncertainLineIsReadAgainInPlace() throws {
        // A blot that grows from next to nothing to a stroke.
        let texts = try (1...12).map { rows in
            let camera = Camera()
            var scene = Self.wall
            try camera.settle(scene)
            camera.reader.misreadings = ["R2C1 RTH": ["R2C1 BTH"]]
            scene.pan = (1, 1)
            scene.cover = (326, 137, 6, rows)
            let reading = try camera.see(scene)
            let isReadInItsPlace = camera.reader.readings == ["R2C1 BTH"] && camera.reader.partialScans == 0
            return isReadInItsPlace ? reading.texts.first { $0.hasPrefix("R2C1") } : nil
        }
        #expect(texts.first == .some(nil))
        #expect(texts.contains("R2C1 BTH"))
        #expect(!texts.contains("R2C1 RTH"))
    }

    @Test func disoccludedTextIsReadAndTextThatLeavesTheFrameIsLost() throws {
        let camera = Camera()
        var scene = Self.wall
        try camera.settle(scene)
        var (seen, lost): (Set<String>, Set<UInt64>) = ([], [])
        let before = try camera.see(scene)
        for frame in 1...40 {
            scene.pan = (0, 4 * frame)
            let reading = try camera.see(scene)
            seen.formUnion(reading.lines.filter { $0.state == .new }.map(\.text))
            lost.formUnion(reading.lost)
        }
        #expect(lost.contains(try #require(before.id("R0C0"))))
        #expect(!lost.contains(try #require(before.id("R4C0"))))
        #expect(seen.contains(scene.signs.first { $0.text.hasPrefix("R7C1") }?.text ?? ""))
        // Frame by frame it would be 18 in each of 40.
        #expect(camera.reader.readings.count < 90)
    }

    @Test func textThatLeavesTheRegionOfInterestIsLost() throws {
        let camera = Camera()
        camera.options.regionOfInterest = Region(x: 0, y: 0.5, width: 1, height: 0.5)
        var scene = Self.wall
        try camera.settle(scene)
        let before = try camera.see(scene)
        #expect(before.texts.contains { $0.hasPrefix("R4C1") } && !before.texts.contains { $0.hasPrefix("R2C1") })
        var lost: Set<UInt64> = []
        for frame in 1...40 {
            scene.pan = (0, 4 * frame)
            let reading = try camera.see(scene)
            lost.formUnion(reading.lost)
            for line in reading.lines { #expect(line.box.centre.y > 192, "\(line.text) in frame \(frame)") }
        }
        #expect(lost.contains(try #require(before.id("R4C1"))))
    }

    @Test func aTruncatedWordIsReadAsAWholeOnceItIsVisible() throws {
        let camera = Camera()
        var scene = Self.wall
        scene.pan = (34, 0)
        try camera.settle(scene)
        #expect(try camera.see(scene).texts.contains("0C0 NOR"))
        // The whole frame is scanned, and as little of the word shows as before.
        scene.pan.x = 30
        try camera.see(scene, after: .seconds(3))
        for pan in stride(from: 28, through: 18, by: -2) {
            scene.pan.x = pan
            try camera.see(scene)
        }
        let texts = try camera.see(scene).texts.filter { $0.hasSuffix("0C0 NOR") || $0.hasPrefix("R0") }
        #expect(texts.contains("R0C0 NOR"))
        #expect(!texts.contains("0C0 NOR"))
    }

    @Test func aCounterIsNeverStaleWhileTheCameraMoves() throws {
        let camera = Camera()
        var scene = Self.wall
        scene.noise = 2
        try camera.settle(scene)
        for count in 0..<40 {
            scene.pan = (2 * (count % 20), count % 7)
            scene.seed = UInt64(count)
            scene.signs[21].text = "COUNT \(100 + count)"
            let reading = try camera.see(scene)
            #expect(reading.texts.contains(scene.signs[21].text), "at \(count)")
            #expect(reading.texts.count { $0.hasPrefix("COUNT") } == 1)
        }
    }

    @Test(arguments: [("8", "9"), ("I A", "I B")])
    func charactersThatAppearWhileTheCameraMovesAreTentativeUntilAFullScan(text: String, later: String) throws {
        let camera = Camera()
        var scene = Self.wall
        let place = try #require(scene.signs.firstIndex { $0.text.hasPrefix("R3C1") })
        let taken = scene.signs.remove(at: place)
        try camera.settle(scene)
        func see(_ text: String, pan: Int, after wait: Duration = .milliseconds(40)) throws -> ReportedReading {
            var seen = scene
            seen.pan = (pan, 0)
            seen.signs.append(Scene.Sign(text: text, x: taken.x, y: taken.y))
            return try camera.see(seen, after: wait)
        }
        #expect(try see(text, pan: 2).texts.contains(text) == false)
        #expect(try see(text, pan: 3).texts.contains(text) == false)
        #expect(try see(text, pan: 3).texts.contains(text) == false)
        let again = try see(text, pan: 3, after: .seconds(2))
        #expect(again.lines.first { $0.text == text }?.state == .new)
        let next = try see(later, pan: 5)
        #expect(next.texts.contains(later))
        #expect(!next.texts.contains(text))
    }

    @Test func aSubtitleThatStaysWhileTheCameraMovesKeepsItsID() throws {
        let camera = Camera()
        var scene = Self.wall
        scene.signs.append(.init(text: "SUBTITLE", x: 200, y: 345))
        let index = scene.signs.count - 1
        try camera.settle(scene)
        let id = try camera.see(scene).id("SUBTITLE")
        for frame in 1...8 {
            scene.pan = (frame, 0)
            scene.signs[index].x = 200 + frame
            #expect(try camera.see(scene).id("SUBTITLE") == id)
        }
        #expect(!camera.reader.readings.contains("SUBTITLE"))
    }

    @Test(arguments: [(0.0, 1.0), (2.5, 1.0), (-1.5, 1.03), (0.5, 0.96)])
    func rotationAndScaleAreEstimated(_ degrees: Double, _ scale: Double) throws {
        let angle = Float(degrees * .pi / 180)
        let (turn, size) = (Float(scale) * sine(angle), Float(scale) * cosine(angle))
        let motion = Affine(a: size, b: -turn, tx: 9, c: turn, d: size, ty: -5)
        let source = Self.wall.picture()
        let back = try #require(motion.inverse)
        var moved = PixelBuffer(width: source.width, height: source.height, format: .gray)
        moved.withMutableBytes { bytes in
            for y in 0..<source.height {
                for x in 0..<source.width {
                    let place = back(Float(x) + 0.5, Float(y) + 0.5)
                    let (column, row) = (Int(place.x), Int(place.y))
                    let isInside = (0..<source.width).contains(column) && (0..<source.height).contains(row)
                    bytes[y * source.width + x] = isInside ? source.bytes[row * source.width + column] : 200
                }
            }
        }
        var earlier = Pyramid()
        var later = Pyramid()
        source.withPixels { earlier.full.load($0) }
        moved.withPixels { later.full.load($0) }
        earlier.reduce()
        later.reduce()
        var camera = CameraMotion()
        let found = camera.estimate(from: earlier, to: later, prediction: .identity)
        let distance = found?.distance(from: motion, width: Float(source.width), height: Float(source.height))
        #expect(try #require(distance) < 1.5)
    }
}
