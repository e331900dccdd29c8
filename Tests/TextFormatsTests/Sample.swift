import Glibc
import GlyphwireProtocol
import TextModel
import NIOCore
import TextFormats

/// Text as found by an engine.
enum Sample {
    /// A line of letters as wide as high, with its left end at `x`, `y`.
    ///
    /// - Parameters:
    ///   - text: Words with single spaces in between.
    ///   - x: The left edge.
    ///   - y: The top edge.
    ///   - height: Of the letters.
    ///   - angle: Clockwise rotation of the line about its top left corner, in degrees.
    static func line(_ text: String, x: Float, y: Float, height: Float = 20, angle: Float = 0) -> TextLine {
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        func box(from start: Int, to end: Int) -> Quad {
            let (left, right) = (Float(start) * height, Float(end) * height)
            return Quad(
                topLeft: Point(x: left, y: 0),
                topRight: Point(x: right, y: 0),
                bottomRight: Point(x: right, y: height),
                bottomLeft: Point(x: left, y: height)
            ).mapCorners { Point(x: x + $0.x * cosine - $0.y * sine, y: y + $0.x * sine + $0.y * cosine) }
        }
        var words: [TextWord] = []
        var start = 0
        for word in text.split(separator: " ") {
            let characters = word.enumerated().map { offset, character in
                TextCharacter(
                    text: String(character),
                    confidence: 0.9,
                    box: box(from: start + offset, to: start + offset + 1)
                )
            }
            let end = start + word.count
            words.append(
                TextWord(text: String(word), confidence: 0.875, box: box(from: start, to: end), characters: characters)
            )
            start = end + 1
        }
        return TextLine(text: text, confidence: 0.5, box: box(from: 0, to: text.count), words: words)
    }

    /// A line that runs left from its right end at `x`, with the corners of its boxes from there on.
    static func hebrewLine(_ text: String, x: Float, y: Float) -> TextLine {
        func mirrored(_ quad: Quad) -> Quad { quad.mapCorners { Point(x: 2 * x - $0.x, y: $0.y) } }
        var line = Self.line(text, x: x, y: y)
        (line.script, line.box) = ("Hebr", mirrored(line.box))
        for word in line.words.indices {
            line.words[word].box = mirrored(line.words[word].box)
            for character in line.words[word].characters.indices {
                line.words[word].characters[character].box = mirrored(line.words[word].characters[character].box)
            }
        }
        return line
    }

    /// The same line as reported without recognition.
    static func unreadLine(_ text: String, x: Float, y: Float) -> TextLine {
        var line = Self.line(text, x: x, y: y)
        line.text = ""
        for word in line.words.indices {
            line.words[word].text = ""
            for character in line.words[word].characters.indices { line.words[word].characters[character].text = "" }
        }
        return line
    }

    /// The same line as reported of a script that cannot be read.
    static func unavailableLine(_ text: String, x: Float, y: Float) -> TextLine {
        var line = Self.unreadLine(text, x: x, y: y)
        (line.script, line.reason) = ("Cyrl", .scriptUnavailable)
        return line
    }

    /// A picture of 1000 x 800 pixels with `lines`, boxes in pixels as sent.
    static func text(
        _ lines: [TextLine],
        orientation: Orientation = .up,
        coordinates: CoordinateSpace = .sent
    ) -> FrameText {
        FrameText(
            width: 1000,
            height: 800,
            orientation: orientation,
            level: .fast,
            lines: lines,
            coordinates: coordinates
        )
    }

    /// A page that was read.
    static func page(_ lines: [TextLine], number: Int = 1, name: String = "page.png") -> Page {
        Self.page(Self.text(lines), number: number, name: name)
    }

    /// A page that was read.
    static func page(_ text: FrameText, number: Int = 1, name: String = "page.png") -> Page {
        let result = FrameResult(
            sequence: UInt64(number - 1),
            capturedMicroseconds: 0,
            outcome: .ok(text),
            timings: FrameTimings()
        )
        return Page(number: number, name: name, result: result)
    }

    /// A page that could not be read.
    static func page(error: WireError, number: Int, name: String) -> Page {
        let result = FrameResult(
            sequence: UInt64(number - 1),
            capturedMicroseconds: 0,
            outcome: .error(error),
            timings: FrameTimings()
        )
        return Page(number: number, name: name, result: result)
    }

    /// Two paragraphs of one block, and a block beside them.
    static let lines = [
        Sample.line("Old Ferry", x: 100, y: 100), Sample.line("Pier 5", x: 100, y: 125),
        Sample.line("Opens", x: 100, y: 170), Sample.line("41", x: 600, y: 100, height: 60),
    ]

    /// All characters that a format may have to escape, as one word.
    static let nasty = "a&b<c>d\"e'f\\g\u{1}h\u{7F}i\u{85}j\u{FFFE}k\u{2028}l\tm\nn"
}

extension TextFormat {
    /// A whole document.
    func document(_ pages: [Page], languages: [String] = []) -> String {
        var writer = self.makeWriter(pictures: pages.map(\.name), languages: languages)
        var buffer = ByteBuffer()
        writer.begin(into: &buffer)
        for page in pages { writer.write(page, into: &buffer) }
        writer.end(into: &buffer)
        return String(buffer: buffer)
    }
}
