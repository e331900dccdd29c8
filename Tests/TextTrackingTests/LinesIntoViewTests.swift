import TextModel
import TextRecognition
import Testing

@testable import TextTracking

/// Lines that come into view over an edge of the frame.
@Suite struct LinesIntoViewTests {
    private static let border = Box(left: 0, top: 0, right: 12, bottom: 480)

    /// Track of a line at a place.
    private static func track(at box: Box) -> Track {
        let line = TextLine(text: "RING FOR THE ATTIC ROOM", confidence: 0.9, box: Quad(box), words: [])
        var frame = GrayPlane()
        frame.resize(width: 640, height: 480)
        for index in 0..<frame.width * frame.height { frame.base[index] = index.isMultiple(of: 3) ? 60 : 180 }
        return Track(line, region: line.box, score: 0.9, in: frame)
    }

    /// Bounding boxes of the lines of which the left border may show more.
    private static func growing(_ tracks: [Track]) -> [Box] {
        let stream = TextStream()
        stream.text.tracks = tracks
        return stream.boundsOfGrowingLines(into: [Self.border])
    }

    @Test func aLineBesideTheBorderIsScannedUpToTheEdge() {
        let boxes = Self.growing([Self.track(at: Box(left: 30, top: 100, right: 230, bottom: 120))])
        #expect(boxes == [Box(left: 0, top: 95, right: 231, bottom: 126)])
    }

    @Test func aLineFarFromTheBorderAndAnOverlayGrowByNothing() {
        let far = Self.track(at: Box(left: 60, top: 100, right: 260, bottom: 120))
        var overlay = Self.track(at: Box(left: 30, top: 200, right: 230, bottom: 220))
        overlay.isOverlay = true
        #expect(Self.growing([far, overlay]).isEmpty)
    }

    @Test func aLineThatComesIntoViewByLessThanAStripAFrameIsReadAsFarAsItIsSeen() throws {
        let camera = Camera()
        let names = ["ALPHA", "BRAVO", "CHARLIE", "DELTA", "ECHO", "FOXTROT", "GOLF", "HOTEL", "INDIA"]
        let wall = names.enumerated().map { index, name in
            Scene.Sign(text: name, x: 200 + 140 * (index % 3), y: 42 * index - 260)
        }
        let sign = Scene.Sign(text: "PLATFORM", x: -81, y: 60)
        for frame in 0..<20 {
            var scene = Scene(signs: wall + [sign])
            // The upper border is scanned in each frame, and the left one is too thin for that.
            scene.pan = (-2 * frame, -14 * frame)
            let texts = try camera.see(scene).texts
            // Letters that were whole four frames ago.
            let hidden = sign.letters.count { $0.x + 2 * max(0, frame - 4) < 0 }
            let expected = sign.text.dropFirst(hidden)
            #expect(texts.contains { $0.hasSuffix(expected) }, "\(expected) is not in \(texts) of frame \(frame)")
        }
    }
}
