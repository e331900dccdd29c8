import FrameCodecs
import GlyphwireProtocol
import TextEngine

@testable import TextStream

/// Finds and reads the signs of a scene, wherever it is asked to look, and keeps count.
final class SceneReader: PartReader {
    /// What stands in front of the camera.
    var scene = Scene()
    /// What is read instead of a sign's own text, one reading after the other.
    var misreadings: [String: [String]] = [:]
    /// Signs that are found and cannot be read.
    var illegible: Set<String> = []
    /// Whether those looks find nothing that only ask which way up a frame is.
    var hidesTurn = false
    /// Looks at whole frames, those among them that only ask which way up they are, and looks at parts.
    private(set) var looks = 0
    private(set) var turnLooks = 0
    private(set) var partialLooks = 0
    /// The texts read, in order.
    private(set) var readings: [String] = []

    /// Forgets what was counted.
    func recount() {
        self.looks = 0
        self.turnLooks = 0
        self.partialLooks = 0
        self.readings = []
    }

    func find(
        in frame: UprightFrame,
        parts: [PixelRect]?,
        options: ReadingOptions
    ) throws(WireError) -> [DetectedLine] {
        if parts == nil { self.looks += 1 } else { self.partialLooks += 1 }
        // The tests ask for characters, so this is no reading.
        if !options.characters {
            self.turnLooks += 1
            if self.hidesTurn { return [] }
        }
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        return (parts ?? [whole]).flatMap { self.find(in: $0, of: frame) }
    }

    private func find(in part: PixelRect, of frame: UprightFrame) -> [DetectedLine] {
        self.scene.signs.filter(\.isFound).compactMap { sign in
            let quad = frame.upright(self.scene.quad(of: sign, margin: 3))
            let centre = Point(
                x: (quad.topLeft.x + quad.bottomRight.x) / 2,
                y: (quad.topLeft.y + quad.bottomRight.y) / 2
            )
            guard centre.x > Float(part.x), centre.x < Float(part.x + part.width), centre.y > Float(part.y),
                centre.y < Float(part.y + part.height)
            else { return nil }
            let (dx, dy) = (quad.topRight.x - quad.topLeft.x, quad.topRight.y - quad.topLeft.y)
            let width = (dx * dx + dy * dy).squareRoot()
            return DetectedLine(
                rect: RotatedRect(
                    centre: centre,
                    axis: Point(x: dx / width, y: dy / width),
                    width: width,
                    height: Float(Scene.letterHeight) + 6
                ).levelled,
                score: 0.9
            )
        }
    }

    func read(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        options: ReadingOptions,
        votes: inout DirectionVotes
    ) throws(WireError) -> [TextLine?] {
        lines.map { line in
            let text = self.read(line, in: frame)
            return text.flatMap { self.illegible.contains($0.text) ? nil : $0 }
        }
    }

    private func read(_ line: DetectedLine, in frame: UprightFrame) -> TextLine? {
        let centre = frame.sent(line.rect.quad)
        let (x, y) = ((centre.topLeft.x + centre.bottomRight.x) / 2, (centre.topLeft.y + centre.bottomRight.y) / 2)
        let sign = self.scene.signs.first { sign in
            let place = self.scene.quad(of: sign, margin: 3).bounds
            return place.left < x && x < place.right && place.top < y && y < place.bottom
        }
        guard let sign, x > 0, y > 0, x < Float(frame.view.width), y < Float(frame.view.height) else { return nil }
        var text = sign.text
        if let next = self.misreadings[sign.text]?.first {
            text = next
            self.misreadings[sign.text]?.removeFirst()
        }
        self.readings.append(text)
        return self.line(text, at: sign)
    }

    func cost(ofFindingIn parts: [PixelRect], of frame: UprightFrame, options: ReadingOptions) -> Float {
        parts.reduce(0) { $0 + Float($1.width * $1.height) } / Float(frame.width * frame.height)
    }

    func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(WireError) -> Reading {
        throw WireError(.internalError, "a stream reads line by line")
    }

    private func line(_ text: String, at sign: Scene.Sign) -> TextLine {
        var words: [TextWord] = []
        var column = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let place = Scene.Sign(text: String(word), x: sign.x + column * Scene.letterWidth, y: sign.y)
            if !word.isEmpty {
                words.append(
                    TextWord(text: place.text, confidence: 0.9, box: self.scene.quad(of: place), characters: [])
                )
            }
            column += word.count + 1
        }
        return TextLine(text: text, confidence: 0.9, box: self.scene.quad(of: sign), words: words)
    }
}
