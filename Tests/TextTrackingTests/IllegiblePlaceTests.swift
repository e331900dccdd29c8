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

    @Test func anIllegiblePlaceBesideTextThatComesAndGoesCausesNoFullScans() throws {
        let wide = "A11ZA11ZA11Z"
        self.camera.reader.illegible = Set((1...wide.count).map { String(wide.prefix($0)) })
        self.camera.reader.missedCoarsely = [wide]
        let signs = [Scene.Sign(text: "PLATFORM 9", x: 60, y: 50), Scene.Sign(text: wide, x: 330, y: 20)]
        let exit = Scene.Sign(text: "EXIT", x: 260, y: 20)
        var scene = Scene(signs: signs + [exit])
        try self.camera.settle(scene)
        for frame in 0..<24 {
            let isShown = !frame.isMultiple(of: 2)
            scene.cover = isShown ? nil : (x: 0, y: 100, width: 640, height: 284)
            scene.signs = signs + (isShown ? [exit] : [])
            #expect(try self.camera.see(scene).texts.contains("EXIT") == isShown)
        }
        #expect(self.camera.reader.fullScans == 12, "those of the schedule: one each time that the text has come up")
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
