import ImageCodecs
import GlyphwireProtocol
import TextModel
import TextRecognition

@testable import TextTracking

/// Detector and recognizer of a scene's signs, which counts its calls.
final class SceneReader: RegionReader {
    /// Scene before the camera.
    var scene = Scene()
    /// Readings, one after the other, instead of a sign's own text.
    var misreadings: [String: [String]] = [:]
    /// Texts of signs that are detected and cannot be read.
    var illegible: Set<String> = []
    /// Texts of signs in a script that cannot be read.
    var unavailable: Set<String> = []
    /// Texts of signs that only scans of regions detect.
    var foundInRegionsOnly: Set<String> = []
    /// Texts of signs that coarse scans do not see.
    var missedCoarsely: Set<String> = []
    /// Column of the scene left of which scans of regions detect nothing.
    var missedInRegions = Int.min
    /// Whether each region of a frame is detected as a line from edge to edge.
    var findsEdges = false
    /// Whether full scans detect the whole frame as a line, too.
    var findsPage = false
    /// Letters of a line that a coarse scan sees; all of them by default.
    var proposedLetters: Int?
    /// Whether scans that estimate the orientation detect nothing.
    var hidesOrientation = false
    /// Numbers of scans: full ones, those of them that estimate the orientation, and those of regions.
    private(set) var fullScans = 0
    private(set) var orientationScans = 0
    private(set) var partialScans = 0
    /// Number of coarse scans.
    private(set) var coarseScans = 0
    /// Number of lines to read.
    private(set) var linesRequested = 0
    /// Texts that were read, in order.
    private(set) var readings: [String] = []
    /// Texts that were expected of the lines to read, in order.
    private(set) var expectations: [String?] = []

    /// Resets the counts.
    func resetCounts() {
        self.fullScans = 0
        self.orientationScans = 0
        self.partialScans = 0
        self.coarseScans = 0
        self.linesRequested = 0
        self.readings = []
        self.expectations = []
    }

    func detect(
        in frame: UprightFrame,
        regions: [PixelRect]?,
        options: ReadingOptions
    ) throws(RecognitionError) -> [DetectedLine] {
        if regions == nil { self.fullScans += 1 } else { self.partialScans += 1 }
        // The tests ask for characters, so this is no reading.
        if !options.characters {
            self.orientationScans += 1
            if self.hidesOrientation { return [] }
        }
        let whole = frame.pixels(of: options.regionOfInterest)
        let lines = (regions ?? [whole]).flatMap { [signs = self.scene.signs] in
            self.lines(of: signs, in: $0, of: frame, isRegion: regions != nil)
        }
        let page = self.findsPage && regions == nil ? [whole] : []
        return lines + ((self.findsEdges ? regions ?? [] : []) + page).map(self.edge)
    }

    func propose(in frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> [DetectedLine] {
        self.coarseScans += 1
        let whole = frame.pixels(of: options.regionOfInterest)
        let seen = self.scene.signs.filter { !self.missedCoarsely.contains($0.text) }
        return self.lines(of: seen, in: whole, of: frame).map { line in
            guard let letters = self.proposedLetters else { return line }
            var line = line
            let width = Float(letters * Scene.letterWidth)
            line.rect.centre.x -= max(0, line.rect.width - width) / 2
            line.rect.width = min(width, line.rect.width)
            return line
        }
    }

    private func edge(_ region: PixelRect) -> DetectedLine {
        DetectedLine(
            rect: RotatedRect(
                centre: Point(
                    x: Float(region.x) + Float(region.width) / 2,
                    y: Float(region.y) + Float(region.height) / 2
                ),
                axis: Point(x: 1, y: 0),
                width: Float(region.width) - 4,
                height: Float(region.height) - 4
            ),
            score: 0.9
        )
    }

    /// Sections of the signs that a region of the frame shows.
    private func lines(
        of signs: [Scene.Sign],
        in region: PixelRect,
        of frame: UprightFrame,
        isRegion: Bool = false
    ) -> [DetectedLine] {
        let signs = signs.filter { $0.isFound && (isRegion || !self.foundInRegionsOnly.contains($0.text)) }
        let shown = signs.flatMap { sign in
            sign.sections { letter in
                guard self.scene.isVisible(letter, of: sign), !isRegion || letter.x >= self.missedInRegions else {
                    return false
                }
                let centre = frame.upright(self.scene.quad(of: letter)).centre
                return centre.x > Float(region.x) && centre.x < Float(region.x + region.width)
                    && centre.y > Float(region.y) && centre.y < Float(region.y + region.height)
            }
        }
        return shown.map { shown in
            let quad = frame.upright(self.scene.quad(of: shown, margin: 3))
            let (dx, dy) = (quad.topRight.x - quad.topLeft.x, quad.topRight.y - quad.topLeft.y)
            let width = (dx * dx + dy * dy).squareRoot()
            let axis = Point(x: dx / width, y: dy / width)
            let reach = Float(shown.reach)
            return DetectedLine(
                rect: RotatedRect(
                    centre: Point(x: quad.centre.x + axis.x * reach / 2, y: quad.centre.y + axis.y * reach / 2),
                    axis: axis,
                    width: width + reach,
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
        votes: inout LineVotes
    ) throws(RecognitionError) -> [TextLine?] {
        self.linesRequested += lines.count
        self.expectations += lines.map(\.expectedText)
        return lines.map { line in
            guard let text = self.read(line, in: frame), !self.illegible.contains(text.text) else { return nil }
            return self.unavailable.contains(text.text) ? Self.unread(text) : text
        }
    }

    /// Reads the letters of a sign inside a line.
    private func read(_ line: DetectedLine, in frame: UprightFrame) -> TextLine? {
        let place = frame.sent(line.rect.quad)
        let (left, top, right, bottom) = place.bounds
        let shown = self.scene.signs.lazy.compactMap { sign in
            sign.only { letter in
                guard self.scene.isVisible(letter, of: sign) else { return false }
                let centre = self.scene.quad(of: letter).centre
                return centre.x > left && centre.x < right && centre.y > top && centre.y < bottom
            }
        }.first
        let centre = place.centre
        guard let shown, centre.x > 0, centre.y > 0, centre.x < Float(frame.view.width),
            centre.y < Float(frame.view.height)
        else { return nil }
        var text = shown.text
        if let next = self.misreadings[shown.text]?.first {
            text = next
            self.misreadings[shown.text]?.removeFirst()
        }
        self.readings.append(text)
        return self.line(text, at: shown)
    }

    /// A line as it is reported of a script that cannot be read.
    private static func unread(_ line: TextLine) -> TextLine {
        var line = line
        line.text = ""
        for word in line.words.indices { line.words[word].text = "" }
        (line.script, line.reason) = ("Cyrl", .scriptUnavailable)
        return line
    }

    func detectionCost(of regions: [PixelRect], in frame: UprightFrame, options: ReadingOptions) -> Float {
        regions.reduce(0) { $0 + Float($1.width * $1.height) } / Float(frame.width * frame.height)
    }

    func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(RecognitionError)
        -> Reading
    {
        throw RecognitionError(.inferenceFailed, "a stream reads line by line")
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
        let spoken = words.map(\.text).joined(separator: " ")
        return TextLine(text: spoken, confidence: 0.9, box: self.scene.quad(of: sign), words: words)
    }
}
