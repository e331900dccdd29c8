import TextModel
import TextRecognition
import Testing

@testable import TextTracking

/// Places in which lines are detected that cannot be read.
@Suite struct IllegiblePlaceTests {
    private let camera = Camera()

    init() { self.camera.reader.illegible = ["A11Z"] }

    @Test func textThatComesUpInAnIllegiblePlaceIsReadThoughItStandsStill() throws {
        func isRead(_ text: String) throws -> Bool {
            let sign = Scene.Sign(text: text, x: 300, y: 150)
            return try self.camera.see(Scene(signs: TextStreamTests.twoSigns.signs + [sign])).texts.contains(text)
        }
        #expect(try !isRead("A11Z"))
        // It is not due, then its region is skipped for a frame.
        for isDue in [false, false, true] { #expect(try isRead("B22Y") == isDue) }
    }

    @Test func whatIsIllegibleIsReadAgainByEachRefresh() throws {
        var scene = TextStreamTests.twoSigns
        scene.signs.append(.init(text: "A11Z", x: 300, y: 150))
        scene.noise = 2
        try self.camera.settle(scene)
        for refresh in 1...4 {
            scene.seed = UInt64(10 + refresh)
            try self.camera.see(scene, after: .seconds(2))
        }
        #expect(self.camera.reader.readings == Array(repeating: "A11Z", count: 4))
    }

    /// Converged scene with an illegible place that only full scans detect.
    private func settledScene() throws -> Scene {
        self.camera.reader.missedCoarsely = ["A11Z", "B22Y"]
        let scene = Scene(signs: [
            .init(text: "PLATFORM 9", x: 60, y: 50), .init(text: "A11Z", x: 400, y: 20),
            .init(text: "EXIT", x: 400, y: 60),
        ])
        try self.camera.settle(scene)
        return scene
    }

    @Test func fullScansSkipAPlaceThatTheScansBetweenThemLeaveOut() throws {
        let scene = try self.settledScene()
        try TextStreamTests.restless(scene, frames: 24) { _ = try self.camera.see($0) }
        #expect(self.camera.reader.fullScans == 3)
        #expect(self.camera.reader.readings == ["A11Z"], "the first of them skips it, and so does the third")
    }

    @Test func aCutUnderALogoForgetsWhatTheScansLeftOut() throws {
        var scene = try self.settledScene()
        try TextStreamTests.restless(scene, frames: 1) { _ = try self.camera.see($0) }
        scene.signs.removeLast()
        scene.signs[1].text = "B22Y"
        #expect(try self.camera.see(scene).texts.contains("B22Y"))
        #expect(self.camera.reader.fullScans == 1)
    }
}
