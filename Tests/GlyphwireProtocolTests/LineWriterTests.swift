import Foundation
import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

@Suite struct LineWriterTests {
    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private static func result(_ lines: [TextLine], coordinates: CoordinateSpace = .sent) -> ServerLine {
        let text = FrameText(
            width: 640,
            height: 480,
            orientation: .up,
            level: .fast,
            lines: lines,
            coordinates: coordinates
        )
        return .result(
            FrameResult(
                sequence: 7,
                capturedMicroseconds: 8,
                outcome: .ok(text),
                timings: FrameTimings(queue: 1, decode: 2, detect: 3, recognize: 4, total: 10)
            )
        )
    }

    static let hostile = [
        "", "\"", "\\", "\\\"", "\n\r\t\u{8}\u{C}", "\0", String((0..<0x20).map { Character(Unicode.Scalar($0)) }),
        "\u{7F}", "\u{80}\u{9F}", "\u{2028}", "a\u{2029}b", "\u{2027}\u{202A}", "\u{E2}", "€", "😀👩‍👩‍👧‍👦🇺🇳", "e\u{301}",
        "x\u{FEFF}", "\u{FFFD}", "\u{10FFFF}", "שלום", "文字", "</script>", "\\u0041", "\u{FFFF}", "{\"type\":\"end\"}\n",
    ]

    @Test(arguments: hostile)
    func everyStringComesOutAsItWentIn(text: String) throws {
        let line = written(.error(ErrorLine(error: WireError(.badOption, text), sequence: 1)))
        #expect(try Self.object(line)["message"] as? String == text)
        #expect(line.utf8.last == UInt8(ascii: "\n"))
        let inside = line.unicodeScalars.dropLast()
        #expect(inside.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{2028}" && $0 != "\u{2029}" })
        guard case .error(let back) = try ServerLine(json: ByteBuffer(string: line)) else {
            Issue.record("no error line")
            return
        }
        #expect(back.error.message == text)
    }

    @Test func everyTextOfAResultIsEscaped() throws {
        let text = Self.hostile.joined()
        let box = Quad(x: 1, y: 2, width: 3, height: 4)
        let character = TextCharacter(text: text, confidence: 1, box: box)
        let word = TextWord(text: text, confidence: 1, box: box, characters: [character])
        let candidate = TextCandidate(text: text, confidence: 1)
        let line = TextLine(text: text, confidence: 1, box: box, words: [word], candidates: [candidate])
        let json = written(Self.result([line, line]))
        let object = try Self.object(json)
        #expect(object["text"] as? String == text + "\n" + text)
        guard case .result(let back) = try ServerLine(json: ByteBuffer(string: json)), case .ok(let read) = back.outcome
        else {
            Issue.record("no result line")
            return
        }
        #expect(read.lines == [line, line])
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (0.04, "0"), (-0.04, "0"), (0.05, "0.1"), (1.25, "1.3"), (-1.25, "-1.3"),
            (639.96, "640"),
            (12, "12"), (.nan, "0"), (.infinity, "0"), (-.infinity, "0"), (1e30, "1000000000"), (-1e30, "-1000000000"),
            (0.5, "0.5"),
        ] as [(Float, String)]
    )
    func pixelsHaveOneDecimalAtMost(value: Float, text: String) {
        let box = Quad(x: value, y: 0, width: 0, height: 0)
        let line = written(Self.result([TextLine(text: "", confidence: 0, box: box, words: [])]))
        #expect(line.contains("\"box\":[\(text),0,\(text),0,\(text),0,\(text),0]"))
    }

    @Test func fractionsHaveFiveDecimals() {
        let line = TextLine(text: "", confidence: 1 / 3, box: Quad(x: 0, y: 0, width: 1, height: 480), words: [])
        let json = written(Self.result([line], coordinates: .vision))
        #expect(json.contains("\"confidence\":0.333,\"box\":[0,1,0.00156,1,0.00156,0,0,0]"))
    }

    @Test func sequencesAndTimesAreWrittenInFull() throws {
        for value in [0, 9, 10, 99, 100, 1 << 63, UInt64.max - 1, UInt64.max] {
            #expect(written(.end(EndLine(sequence: value, frames: 0))).contains("\"sequence\":\(value),"))
        }
    }

    @Test func theSameResultIsTheSameBytes() {
        #expect(written(Self.result(FrameTextTests.lines)) == written(Self.result(FrameTextTests.lines)))
    }

    @Test func aResultHasItsMembersInTheDocumentedOrder() {
        let expected =
            #"{"type":"result","sequence":7,"captured_us":8,"status":"ok","width":640,"height":480,"orientation":1,"#
            + #""level":"fast","coordinates":"sent","text":"EXIT 42","lines":[{"text":"EXIT 42","confidence":0.5,"#
            + #""box":[10,20,80,20,80,40,10,40],"words":[{"text":"EXIT","confidence":0.5,"#
            + #""box":[10,20,50,20,50,40,10,40],"characters":[{"text":"E","confidence":1,"#
            + #""box":[10,20,18,20,18,40,10,40]}]}]}],"#
            + #""timings_us":{"queue":1,"decode":2,"detect":3,"recognize":4,"total":10}}"# + "\n"
        #expect(written(Self.result(FrameTextTests.lines)) == expected)
    }

    @Test func scriptAndScoresStandBehindTheBox() throws {
        var line = TextLine(text: "A", confidence: 0.5, box: Quad(x: 0, y: 0, width: 1, height: 1), words: [])
        line.script = "Latn"
        line.scores = TextLine.Scores(detection: 0.875, recognition: 0.25)
        let box = #""box":[0,0,1,0,1,1,0,1]"#
        let json = written(Self.result([line]))
        #expect(json.contains(box + #","script":"Latn","scores":{"detection":0.875,"recognition":0.25},"words":[]"#))
        guard case .result(let back) = try ServerLine(json: ByteBuffer(string: json)), case .ok(let read) = back.outcome
        else {
            Issue.record("no result line")
            return
        }
        #expect(read.lines == [line])
        line.scores?.recognition = nil
        line.script = nil
        #expect(written(Self.result([line])).contains(box + #","scores":{"detection":0.875},"words":[]"#))
    }

    @Test func anUnreadLineHasAReasonAndIsNotInTheText() throws {
        let box = Quad(x: 0, y: 0, width: 1, height: 1)
        let word = TextWord(text: "", confidence: 0.5, box: box, characters: [])
        let unread = TextLine(
            text: "",
            confidence: 0.5,
            box: box,
            words: [word],
            script: "Cyrl",
            reason: .scriptUnavailable
        )
        let lines = [TextLine(text: "A", confidence: 1, box: box, words: []), unread]
        let json = written(Self.result([lines[0], unread, lines[0]]))
        #expect(json.contains(#""script":"Cyrl","reason":"script_unavailable","words":[{"text":"""#))
        #expect(json.contains(#""text":"A\nA","lines""#))
        guard case .result(let back) = try ServerLine(json: ByteBuffer(string: written(Self.result(lines)))),
            case .ok(let read) = back.outcome
        else {
            Issue.record("no result line")
            return
        }
        #expect(read.lines == lines)
        #expect(read.text == "A")
        #expect(written(Self.result([unread, unread])).contains(#""text":"","lines":[{"#))
        let newer = json.replacing("script_unavailable", with: "another_reason")
        guard case .result(let other) = try ServerLine(json: ByteBuffer(string: newer)),
            case .ok(let text) = other.outcome
        else {
            Issue.record("no result line")
            return
        }
        #expect(text.lines[1].reason == nil)
    }

    @Test func linesThatWereOnlyLocatedAreNotInTheText() throws {
        let box = Quad(x: 0, y: 0, width: 1, height: 1)
        let located = TextLine(text: "", confidence: 0.5, box: box, words: [])
        let json = written(Self.result([located, located]))
        #expect(json.contains(#""text":"","lines":[{"text":"""#))
        guard case .result(let back) = try ServerLine(json: ByteBuffer(string: json)), case .ok(let read) = back.outcome
        else {
            Issue.record("no result line")
            return
        }
        #expect(read.text == "" && read.lines.count == 2)
    }

    @Test func whatWasFoundStandsBehindTheLines() {
        func json(_ found: TextMatches?) -> String {
            let text = FrameText(width: 9, height: 8, orientation: .up, level: .fast, lines: [], found: found)
            return written(
                .result(FrameResult(sequence: 1, capturedMicroseconds: 0, outcome: .ok(text), timings: FrameTimings()))
            )
        }
        #expect(!json(nil).contains("matches"))
        #expect(json(TextMatches([])).contains(#","lines":[],"matches":[],"timings_us""#))
        let expected =
            #","lines":[],"matches":[{"pattern":2,"text":"T 4","line":0,"words":[0,1],"box":[42,20,62,20,62,40,42,40]},"#
            + #"{"pattern":0,"text":"\"","line":1,"words":[3],"box":[1,2,4,2,4,6,1,6]}],"matches_complete":false,"#
        #expect(json(FrameTextTests.found).contains(expected))
    }

    @Test func trackingStateIsWrittenInItsPlace() {
        let text = FrameText(
            width: 9,
            height: 8,
            orientation: .up,
            level: .fast,
            lines: [ServerLineTests.tracked[1]],
            reused: true,
            lost: [3, 5],
            truncated: true
        )
        let line = written(
            .result(FrameResult(sequence: 1, capturedMicroseconds: 0, outcome: .ok(text), timings: FrameTimings()))
        )
        #expect(
            line.contains(
                #""coordinates":"sent","reused":true,"truncated":true,"lost":[3,5],"text":"EXIT 42","lines":["#
            )
        )
        #expect(line.contains(#""box":[10,20,80,20,80,40,10,40],"state":"kept","words":["#))
        #expect(line.contains(#""box":[10,20,50,20,50,40,10,40],"id":1,"characters":["#))
    }

    @Test func warningsStandInFrontOfTheText() {
        func json(_ warnings: [FrameWarning]) -> String {
            let text = FrameText(width: 9, height: 8, orientation: .up, level: .fast, lines: [], warnings: warnings)
            return written(
                .result(FrameResult(sequence: 1, capturedMicroseconds: 0, outcome: .ok(text), timings: FrameTimings()))
            )
        }
        #expect(!json([]).contains("warnings"))
        let longest = FrameWarning.Code(rawValue: String(repeating: "\u{1}", count: 100))
        let warnings = [
            FrameWarning(.jpegNoEnd), FrameWarning(.jpegDamaged, row: 312),
            FrameWarning(longest, row: .min, scale: -1.0 / 3), FrameWarning(.firstPageOnly, pages: 3),
        ]
        let expected =
            #","warnings":[{"code":"jpeg_no_end"},{"code":"jpeg_damaged","row":312},{"code":""#
            + String(repeating: #"\u0001"#, count: 100)
            + #"","row":-9223372036854775808,"scale":-0.333},{"code":"first_page_only","pages":3}],"text":"","#
        #expect(json(warnings).contains(expected))
        #expect(FrameWarning(.jpegDamaged, row: 312).description.contains("from row 312 on"))
        for code in FrameWarning.Code.known {
            #expect(FrameWarning(code).description != code.rawValue, "\(code) says nothing to a person")
        }
    }

    @Test func linesOneAfterTheOtherShareABuffer() throws {
        var buffer = ByteBuffer()
        LineWriter().write(.end(EndLine(sequence: 1, frames: 2)), into: &buffer)
        LineWriter().write(Self.result(FrameTextTests.lines), into: &buffer)
        LineWriter().write(.end(EndLine(sequence: 3, frames: 4)), into: &buffer)
        #expect(buffer.text.split(separator: "\n").count == 3)
        for line in buffer.text.split(separator: "\n") { _ = try Self.object(String(line)) }
    }
}
