import TextModel
import TextRecognition
import Testing

@testable import TextTracking

/// Text of one or two letters, which edges of moving things look like in regions of a frame.
@Suite struct ShortTextTests {
    private let camera = Camera()

    /// Scene in which a text comes up that only scans of regions detect.
    private func scene(with text: String) throws -> Scene {
        var scene = Scene(signs: [Scene.Sign(text: "LIVE", x: 40, y: 30)])
        try self.camera.settle(scene)
        self.camera.reader.foundInRegionsOnly = [text]
        scene.signs.append(Scene.Sign(text: text, x: 300, y: 200))
        return scene
    }

    @Test func aCharacterThatComesUpIsReportedAtOnceIfTheWholeFrameShowsItToo() throws {
        var scene = try self.scene(with: "8")
        self.camera.reader.foundInRegionsOnly = []
        #expect(try self.camera.see(scene).texts == ["LIVE", "8"])
        #expect(self.camera.reader.fullScans == 1)
        scene.signs[1].text = "9"
        #expect(try self.camera.see(scene).texts == ["LIVE", "9"])
        #expect(self.camera.reader.fullScans == 1)
    }

    @Test func aCharacterThatOnlyRegionsShowIsNotReported() throws {
        let scene = try self.scene(with: "8")
        for _ in 0..<20 { #expect(try self.camera.see(scene).texts == ["LIVE"]) }
        #expect(self.camera.reader.fullScans == 1)
    }

    @Test(arguments: [("HE", false), ("HEN", true)])
    func twoLettersThatOnlyRegionsShowEndWithTheNextFullScan(text: String, stays: Bool) throws {
        let scene = try self.scene(with: text)
        #expect(try self.camera.see(scene).texts == ["LIVE", text])
        for _ in 0..<3 { try self.camera.see(scene, after: .seconds(2)) }
        var changed = scene
        changed.noise = 1
        for seed in 1...4 {
            changed.seed = UInt64(seed)
            try self.camera.see(changed, after: .seconds(2))
        }
        #expect(try self.camera.see(changed).texts == (stays ? ["LIVE", text] : ["LIVE"]))
    }
}
