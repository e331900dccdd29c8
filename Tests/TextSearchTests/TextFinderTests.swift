import Glibc
import TextModel
import Testing

@testable import TextSearch

@Suite struct TextFinderTests {
    /// A line of letters ten pixels wide and twenty high, five apart, on a slope of `angle`.
    private static func line(_ text: String, at start: Point = Point(x: 0, y: 0), angle: Float = 0) -> TextLine {
        func quad(_ from: Int, _ to: Int) -> Quad {
            Quad(x: Float(15 * from), y: 0, width: Float(15 * (to - from) - 5), height: 20).mapCorners { point in
                Point(
                    x: start.x + point.x * cosf(angle) - point.y * sinf(angle),
                    y: start.y + point.x * sinf(angle) + point.y * cosf(angle)
                )
            }
        }
        var words: [TextWord] = []
        var index = 0
        for word in text.split(separator: " ") {
            let characters = word.enumerated().map { offset, letter in
                TextCharacter(text: String(letter), confidence: 1, box: quad(index + offset, index + offset + 1))
            }
            let box = quad(index, index + word.count)
            words.append(TextWord(text: String(word), confidence: 1, box: box, characters: characters))
            index += word.count + 1
        }
        return TextLine(text: text, confidence: 1, box: quad(0, index - 1), words: words)
    }

    private static func found(_ patterns: String..., in lines: [TextLine]) throws -> TextMatches {
        TextFinder.matches(of: try patterns.map(TextPattern.init), in: lines)
    }

    @Test func wordsThatCannotBeReadAreNotSearched() throws {
        var line = Self.line("TO НЕТ EXIT 42")
        line.words[1].text = ""
        line.words[1].characters = []
        let found = try Self.found("to exit", "/.*/", in: [line])
        #expect(found.matches.map(\.text) == ["TO EXIT", "TO EXIT 42"])
        line.words = [line.words[1]]
        #expect(try Self.found("/.*/", "/^$/", in: [line]).matches.isEmpty)
    }

    @Test func aMatchHasItsPatternLineWordsAndText() throws {
        let lines = [Self.line("STAIR 1"), Self.line("TO EXIT 42 B")]
        let found = try Self.found("/[0-9]+/", "exit 42", "nowhere", in: lines)
        #expect(found.isComplete)
        #expect(found.matches.map(\.pattern) == [0, 1, 0])
        #expect(found.matches.map(\.text) == ["1", "EXIT 42", "42"])
        #expect(found.matches.map(\.line) == [0, 1, 1])
        #expect(found.matches.map(\.words) == [1..<2, 1..<3, 2..<3])
    }

    @Test func theBoxIsThatOfTheCharactersFoundAndAMargin() throws {
        let found = try Self.found("/AI/", "/R 1/", in: [Self.line("STAIR 12")])
        #expect(found.matches.count == 2)
        #expect(found.matches[0].box.distance(to: Quad(x: 30, y: 0, width: 25, height: 20).withMargin) < 0.01)
        #expect(found.matches[1].box.distance(to: Quad(x: 60, y: 0, width: 40, height: 20).withMargin) < 0.01)
    }

    @Test(arguments: [0, 0.3, -0.7, 1.57, 2.5, .pi, -2] as [Float])
    func theBoxSlantsWithTheLine(angle: Float) throws {
        let start = Point(x: 200, y: 150)
        let whole = Self.line("GO WEST 7", at: start, angle: angle)
        let match = try #require(try Self.found("/O WES/", in: [whole]).matches.first)
        // From the second letter to the sixth place, less the last gap.
        let expected = Quad(x: 15, y: 0, width: 70, height: 20).mapCorners { point in
            Point(
                x: start.x + point.x * cosf(angle) - point.y * sinf(angle),
                y: start.y + point.x * sinf(angle) + point.y * cosf(angle)
            )
        }
        #expect(match.box.distance(to: expected.withMargin) < 0.01)
    }

    @Test func aCharacterOfSeveralCodePointsIsTakenWhole() throws {
        var line = Self.line("ab")
        line.words[0].characters[0].text = "e\u{301}"
        let match = try #require(try Self.found("/é/", in: [line]).matches.first)
        #expect(match.box.distance(to: line.words[0].characters[0].box.withMargin) < 0.001)
        #expect(try Self.found("/e/", in: [line]).matches.isEmpty)
    }

    @Test func aMarkThatWasReadByItselfBelongsToItsLetter() throws {
        var line = Self.line("abc")
        line.words[0].characters[0].text = "e"
        line.words[0].characters[1].text = "\u{301}"
        let found = try Self.found("/é/", "/c/", in: [line])
        #expect(found.matches.map(\.text) == ["e\u{301}", "c"])
        #expect(found.matches[0].box.distance(to: Quad(x: 0, y: 0, width: 25, height: 20).withMargin) < 0.01)
        #expect(found.matches[1].box.distance(to: Quad(x: 30, y: 0, width: 10, height: 20).withMargin) < 0.01)
    }

    @Test func theBoxIsThatOfTheTextHoweverLongItIsAsItIsCompared() throws {
        let folded = try Self.found("strasse 12", "/x.*/i", in: [Self.line("Große ﬁxe Straße 12")])
        #expect(folded.matches.map(\.text) == ["xe Straße 12", "Straße 12"])
        #expect(folded.matches.map(\.words) == [1..<4, 2..<4])
        #expect(folded.matches[0].box.distance(to: Quad(x: 105, y: 0, width: 175, height: 20).withMargin) < 0.01)
        #expect(folded.matches[1].box.distance(to: Quad(x: 150, y: 0, width: 130, height: 20).withMargin) < 0.01)
        let composed = try Self.found("zürich 7", in: [Self.line("Zu\u{308}rich 7")])
        #expect(composed.matches.map(\.text) == ["Zu\u{308}rich 7"])
        #expect(composed.matches[0].box.distance(to: Quad(x: 0, y: 0, width: 115, height: 20).withMargin) < 0.01)
    }

    @Test func aMarkAtTheStartOfAWordLeavesTheSpaceBeforeItAlone() throws {
        var line = Self.line("क ख x")
        line.words[2].characters[0].text = "\u{93F}"
        let found = try Self.found("/ख \u{93F}/", "क", in: [line])
        #expect(found.matches.map(\.text) == ["क", "ख \u{93F}"])
        #expect(found.matches.map(\.words) == [0..<1, 1..<3])
    }

    @Test func aWordWithoutCharactersIsTakenWhole() throws {
        var line = Self.line("STAIR 12")
        for word in line.words.indices { line.words[word].characters = [] }
        let match = try #require(try Self.found("/AIR 1/", in: [line]).matches.first)
        #expect(match.words == 0..<2 && match.text == "AIR 1")
        #expect(match.box.distance(to: line.box) < 0.01)
    }

    @Test func aSpaceAloneIsNothing() throws {
        #expect(try Self.found("/ /", "/\\s+/", in: [Self.line("A B C")]).matches.isEmpty)
    }

    @Test func aBoxWithoutExtentDoesNoHarm() throws {
        let none = Quad(x: 3, y: 4, width: 0, height: 0)
        let word = TextWord(text: "A", confidence: 1, box: none, characters: [])
        let found = try Self.found("A", in: [TextLine(text: "A", confidence: 1, box: none, words: [word])])
        #expect(found.matches.map(\.box) == [none])
    }

    @Test func aSearchBeyondTheStepLimitIsIncomplete() throws {
        // Each "a" is found only after the line was searched to its end.
        let lines = [TextLine](repeating: Self.line(String(repeating: "a", count: 300)), count: 100)
        let found = try Self.found("/a(.*b)?/", "/a(.*c)?/", in: lines)
        #expect(!found.isComplete)
        #expect(!found.matches.isEmpty)
    }

    @Test func aCostlyLineLeavesTheOthersTheirSteps() throws {
        let costly = Self.line(String(repeating: "a", count: 2000))
        let lines = [costly, Self.line("EXIT"), costly, Self.line("TO EXIT 4")]
        let found = try Self.found("/a(.*b)?/", "exit", in: lines)
        #expect(!found.isComplete)
        #expect(found.matches.filter { $0.pattern == 1 }.map(\.line) == [1, 3])
        #expect(Set(found.matches.map(\.line)) == [0, 1, 2, 3])
    }

    @Test func matchesBeyondTheLimitAreLeftOut() throws {
        let lines = [TextLine](repeating: Self.line(String(repeating: "a", count: 300)), count: 5)
        let patterns = [TextPattern](repeating: try TextPattern("/./"), count: 8)
        // All of four lines, and of the fifth line what makes 10,000.
        let found = TextFinder.matches(of: patterns, in: lines)
        #expect(found.matches.count == 10_000)
        #expect(!found.isComplete)
        #expect(found.matches.last?.line == 4 && found.matches.last?.pattern == 7)
        let beginning = TextFinder.matches(of: patterns, in: Array(lines[..<4]))
        #expect(beginning.isComplete)
        #expect(Array(found.matches[..<9600]) == beginning.matches)
    }

    @Test func asManyMatchesAsTheLimitAreComplete() throws {
        let lines = [TextLine](repeating: Self.line(String(repeating: "a", count: 100)), count: 100)
        let found = try Self.found("/a/", in: lines + [Self.line("b c")])
        #expect(found.matches.count == 10_000)
        #expect(found.isComplete)
    }
}

extension Quad {
    /// Maximum distance between corresponding corners.
    fileprivate func distance(to other: Quad) -> Float {
        zip(self.corners, other.corners).map { $0.distance(to: $1) }.max() ?? 0
    }
}
