import ImageCodecs
import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

/// Lines that are too long for a recognizer's widest input.
@Suite struct LongLineTests {
    /// A line 20 pixels high of 210 letters and spaces, indistinguishable if squeezed into the widest input.
    private static func page(_ text: String) -> PrintedPage {
        PrintedPage(width: 6040, height: 60, [Self.line(text)])
    }

    private static func line(_ text: String) -> PrintedPage.Line {
        PrintedPage.Line(text: text, x: 30, y: 20, height: 20, pitch: 9)
    }

    /// Words of one to eight letters, with single spaces between them.
    private static let words: String = {
        var random = SplitMix64(5)
        var text = ""
        while text.count < 210 {
            let letters = (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in
                "ABCDE".randomElement(using: &random)
            }
            text += String(letters) + " "
        }
        return String(text.dropLast())
    }()
    private static let word = words.replacing(" ", with: "")

    private static func read(
        _ text: String,
        _ options: ReadingOptions = ReadingOptions(),
        sentAs orientation: Orientation = .up
    ) throws -> TextLine? {
        let lines = try Self.page(text).pixels.sent(as: orientation).withPixels { view in
            try PrintedPage.reader().read(view, orientation: .up, options: options).lines
        }
        #expect(lines.count == 1)
        return lines.first
    }

    @Test(arguments: [Orientation.up, .right, .down, .left])
    func aLongLineIsReadWholeWhicheverWayItRuns(orientation: Orientation) throws {
        let line = try #require(try Self.read(Self.words, sentAs: orientation))
        #expect(line.text == Self.words)
        #expect(line.words.map(\.text).joined(separator: " ") == Self.words)
        let characters = line.words.flatMap(\.characters)
        let letters = Self.line(Self.words).letters
        try #require(characters.count == letters.count)
        let (width, height) = orientation.swapsAxes ? (60, 6040) : (6040, 60)
        for (character, letter) in zip(characters, letters) {
            let upright = character.box.mapCorners { orientation.upright($0, width: width, height: height) }
            #expect(upright.distance(to: letter) < 2)
        }
    }

    @Test func aWordThatIsCutIsOneWord() throws {
        let line = try #require(try Self.read(Self.word))
        #expect(line.words.map(\.text) == [Self.word])
        #expect(line.words.first?.characters.count == Self.word.count)
    }

    @Test func aLongLineIsMeasuredWholeWhereItIsNotRead() throws {
        let line = try #require(try Self.read(Self.words, ReadingOptions(recognize: false)))
        #expect(line.words.map(\.characters.count) == Self.words.split(separator: " ").map(\.count))
        #expect(line.text.isEmpty && line.confidence > 0)
    }

    @Test func readingsOfALongLineDifferInOneSection() throws {
        let line = try #require(try Self.read(Self.word, ReadingOptions(candidates: 4)))
        #expect(line.candidates.first == TextCandidate(text: Self.word, confidence: line.confidence))
        #expect(line.candidates.count == 4 && Set(line.candidates.map(\.text)).count == 4)
        #expect(zip(line.candidates, line.candidates.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
        #expect(line.candidates.allSatisfy { abs($0.text.count - Self.word.count) < 3 })
    }

    /// A section of a line as read, from `left` to `right`.
    private static func section(_ text: String, from left: Float, to right: Float) -> TextLine {
        let box = Quad(x: min(left, right), y: 10, width: abs(right - left), height: 20)
        let word = TextWord(text: text, confidence: 0.9, box: left < right ? box : box.turned(2), characters: [])
        return TextLine(text: text, confidence: 0.9, box: word.box, words: [word])
    }

    /// The line joined from sections, each with whether a word ends with it.
    private static func joined(_ sections: [(line: TextLine?, endsWord: Bool)]) -> TextLine? {
        TextLine(joining: sections.map { ReadSection(line: $0.line, endsWord: $0.endsWord) })
    }

    @Test func sectionsAreOneLineInTheDirectionInWhichTheyAreRead() throws {
        let sections = [Self.section("ABC", from: 0, to: 60), nil, Self.section("DE", from: 120, to: 160)]
        let line = try #require(Self.joined([(sections[0], false), (sections[1], false), (sections[2], true)]))
        #expect(line.words.map(\.text) == ["ABC", "DE"])
        #expect(line.box == Quad(x: 0, y: 10, width: 160, height: 20))
        let (end, start) = (Self.section("DE", from: 40, to: 0), Self.section("ABC", from: 100, to: 40))
        #expect(Self.joined([(end, false), (start, true)])?.text == "ABCDE")
        #expect(Self.joined([(end, true), (start, true)])?.text == "ABC DE")
    }

    @Test func aSectionInAScriptThatRunsLeftIsKept() throws {
        func mirrored(_ text: String, from left: Float, to right: Float) -> TextLine {
            var line = Self.section(text, from: left, to: right)
            let box = line.box
            line.box = Quad(
                topLeft: box.topRight,
                topRight: box.topLeft,
                bottomRight: box.bottomLeft,
                bottomLeft: box.bottomRight
            )
            return line
        }
        let (english, hebrew) = (Self.section("AB", from: 0, to: 60), mirrored("גד", from: 70, to: 160))
        let line = try #require(Self.joined([(english, true), (hebrew, true)]))
        #expect(line.text == "גד AB")
        #expect(line.box == mirrored("", from: 0, to: 160).box)
        let (short, long) = (mirrored("גד", from: 70, to: 100), Self.section("ABC", from: 0, to: 60))
        #expect(Self.joined([(long, false), (short, true)])?.text == "ABC גד")
    }

    @Test func aSectionThatIsUpsideDownBesideTheLongestIsLeftOut() {
        let (start, against) = (Self.section("ABC", from: 0, to: 60), Self.section("DE", from: 100, to: 60))
        #expect(Self.joined([(start, false), (against, true)])?.text == "ABC")
        #expect(Self.joined([(nil, false), (nil, true)]) == nil)
    }
}
