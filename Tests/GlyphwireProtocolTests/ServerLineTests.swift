import Foundation
import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

@Suite struct ServerLineTests {
    static let hello = Hello(
        version: "1.0.0",
        authentication: .token,
        limits: WireLimits(
            maxMessageBytes: 1,
            maxConfigureBytes: 4,
            picture: PictureLimits(maxPixels: 2, maxSide: 3)
        ),
        maxUnauthenticatedBytes: 5,
        levels: [.fast, .accurate],
        languages: ["ar", "ru"],
        features: ["stats"]
    )
    static let stage = Stats.Stage(count: 1, p50: 2, p90: 3, p99: 4, max: .max)
    static let scope = Stats.Scope(
        frames: FramesByStatus(ok: 5, error: 6, dropped: 11, expired: 12),
        queue: stage,
        decode: Stats.Stage(count: 7),
        detect: Stats.Stage(p50: 8),
        recognize: Stats.Stage(p90: 9),
        total: Stats.Stage(p99: 10),
        tracking: Stats.Tracking(verified: 13, regions: 14, coarse: 15, full: 16, lines: 17)
    )
    /// Lines in every state, with word ids.
    static let tracked = TextLine.State.allCases.enumerated().map { index, state in
        var line = FrameTextTests.lines[0]
        line.state = state
        line.words[0].id = UInt64(index)
        return line
    }
    static let lines: [ServerLine] = [
        .hello(hello),
        .configured(Configured(sequence: .max, options: StreamConfiguration(client: "x", coordinates: .vision))),
        .result(
            FrameResult(
                sequence: .max,
                capturedMicroseconds: .max,
                outcome: .ok(
                    FrameText(
                        width: 100,
                        height: 80,
                        orientation: .left,
                        level: .accurate,
                        lines: FrameTextTests.lines,
                        coordinates: .upright,
                        found: FrameTextTests.found
                    )
                ),
                timings: FrameTimings(queue: 1, decode: 2, detect: 3, recognize: 4, total: .max)
            )
        ),
        .result(
            FrameResult(
                sequence: 2,
                capturedMicroseconds: 3,
                outcome: .ok(
                    FrameText(
                        width: 100,
                        height: 80,
                        orientation: .up,
                        level: .fast,
                        lines: tracked,
                        reused: true,
                        lost: [.max, 0, 7],
                        truncated: true,
                        warnings: [
                            FrameWarning(.jpegNoEnd), FrameWarning(.jpegDamaged, row: 312),
                            FrameWarning(FrameWarning.Code(rawValue: "newer"), scale: 0.5),
                            FrameWarning(.firstPageOnly, pages: 3),
                        ]
                    )
                ),
                timings: FrameTimings()
            )
        ),
        .result(
            FrameResult(
                sequence: 1,
                capturedMicroseconds: 0,
                outcome: .error(WireError(.jpegCorrupt, "cut off")),
                timings: FrameTimings()
            )
        ),
        .result(
            FrameResult(
                sequence: 8,
                capturedMicroseconds: 0,
                outcome: .dropped(by: .max),
                timings: FrameTimings(queue: 5, total: 5)
            )
        ),
        .result(
            FrameResult(
                sequence: 9,
                capturedMicroseconds: 1,
                outcome: .expired,
                ageMilliseconds: -7,
                timings: FrameTimings()
            )
        ),
        .configured(
            Configured(
                sequence: 0,
                options: StreamConfiguration(
                    delivery: .every,
                    deadlineMilliseconds: 250,
                    clockOffsetMicroseconds: -(1 << 53)
                ),
                window: 4
            )
        ),
        .pong(Pong(sequence: 1, capturedMicroseconds: 2, receivedMicroseconds: 3, sentMicroseconds: .max)),
        .stats(Stats(sequence: 1, connection: scope, server: Stats.Scope())),
        .error(ErrorLine(error: WireError(.unknownType, "9"), sequence: 3)),
        .error(ErrorLine(error: WireError(.messageTooLarge, "4 GiB"), sequence: nil)),
        .end(EndLine(sequence: 4, frames: 5)),
        .goAway(GoAway(graceMilliseconds: 10_000)),
        .other(type: "weather"),
    ]

    @Test(arguments: lines)
    func everyLineIsReadAsItWasWritten(line: ServerLine) throws {
        let json = written(line)
        #expect(try ServerLine(json: ByteBuffer(string: json)) == line)
        #expect(written(try ServerLine(json: ByteBuffer(string: json))) == json)
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
    }

    @Test(arguments: lines)
    func membersOfNewerServersArePassedOver(line: ServerLine) throws {
        // Every object of the line, at any depth, gets an unknown member at its start, before its type.
        let json = written(line).replacing("{\"", with: #"{"new":[{"a":[1,null]},"\"{"],""#)
        #expect(try ServerLine(json: ByteBuffer(string: json)) == line)
    }

    @Test func everyTypeOfLineHasAnExampleAndEveryMessageAnAnswer() throws {
        let types: [String] = try Self.lines.map { line in
            let json = try JSONSerialization.jsonObject(with: Data(written(line).utf8))
            return try #require((json as? [String: Any])?["type"] as? String)
        }
        #expect(Set(types) == Set(LineType.allCases.map(\.rawValue) + ["weather"]))
        #expect(Set(Self.lines.compactMap { $0.answered?.type }) == Set(MessageType.allCases))
    }

    @Test func anUnknownTypeIsReportedByItsName() throws {
        let line = ByteBuffer(string: #"{"type":"weather","grace_ms":1000}"#)
        #expect(try ServerLine(json: line) == .other(type: "weather"))
    }

    @Test func anUnknownStatusIsNotAnError() throws {
        let line = ByteBuffer(
            string: #"{"type":"result","sequence":8,"status":"postponed","until":9}"#
        )
        guard case .result(let result) = try ServerLine(json: line) else {
            Issue.record("no result line")
            return
        }
        #expect(result.sequence == 8)
        #expect(result.outcome == .other(status: "postponed"))
    }

    @Test func aFrameDroppedForAnUnknownReasonWasNotRead() throws {
        let line = ByteBuffer(string: #"{"type":"result","sequence":8,"status":"dropped","reason":"boredom","by":9}"#)
        guard case .result(let result) = try ServerLine(json: line) else {
            Issue.record("no result line")
            return
        }
        #expect(result.outcome == .other(status: "dropped"))
    }

    @Test func aResultOfAnUnknownLevelIsNoError() throws {
        let line =
            #"{"type":"result","sequence":1,"captured_us":0,"status":"ok","level":"thorough","text":"","lines":[]}"#
        guard case .result(let frame) = try ServerLine(json: ByteBuffer(string: line)),
            case .ok(let text) = frame.outcome
        else { return #expect(Bool(false)) }
        #expect(text.level == nil)
    }

    @Test(
        arguments: ["level", "coordinates", "delivery", "unreadable", "upright", "damaged", "report"]
    )
    func anEchoWithAnUnknownValueOfAChoiceIsNoError(option: String) throws {
        let echo = #"{"\#(option)":"of a newer server","candidates":2,"temporal":true}"#
        let line = ByteBuffer(string: #"{"type":"configured","sequence":1,"options":\#(echo)}"#)
        let options = StreamConfiguration(reading: ReadingOptions(candidates: 2))
        #expect(try ServerLine(json: line) == .configured(Configured(sequence: 1, options: options)))
    }

    @Test func anUnknownStateIsNone() throws {
        let line = ByteBuffer(
            string: #"{"type":"result","status":"ok","lines":[{"state":"guessed"}],"reused":false,"lost":[]}"#
        )
        guard case .result(let result) = try ServerLine(json: line), case .ok(let text) = result.outcome else {
            Issue.record("no result line")
            return
        }
        #expect(text.lines.count == 1 && text.lines[0].state == nil)
        #expect(!text.reused && text.lost.isEmpty)
    }

    @Test(
        arguments: [
            (sent: 1_000_000, received: 5_000_100, answered: 5_000_200, arrived: 1_000_300, offset: 4_000_000),
            (sent: 5_000_000, received: 1_000_100, answered: 1_000_200, arrived: 5_000_300, offset: -4_000_000),
            (sent: 0, received: .max, answered: .max, arrived: 1, offset: -1),
            (sent: .max, received: 0, answered: 0, arrived: .max, offset: 0),
        ] as [(sent: UInt64, received: UInt64, answered: UInt64, arrived: UInt64, offset: Int)]
    )
    func aPongGivesTheClockOffset(
        sent: UInt64,
        received: UInt64,
        answered: UInt64,
        arrived: UInt64,
        offset: Int
    ) {
        let pong = Pong(
            sequence: 0,
            capturedMicroseconds: sent,
            receivedMicroseconds: received,
            sentMicroseconds: answered
        )
        #expect(pong.clockOffset(arrivedMicroseconds: arrived) == offset)
    }

    @Test func anUnknownCodeKeepsItsStringAndItsFatality() throws {
        let line = ByteBuffer(
            string: #"{"type":"error","sequence":null,"code":"rate_limited","message":"slow down","fatal":true}"#
        )
        guard case .error(let error) = try ServerLine(json: line) else {
            Issue.record("no error line")
            return
        }
        #expect(error.error.code.rawValue == "rate_limited")
        #expect(error.isFatal)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"type":7}"#, #"{"type":"end","frames":-1}"#, #"{"type":"end"} x"#, #"{"type":"pong"#,
        #"{"type":"result","status":"ok","orientation":9}"#, #"{"type":"result","status":"ok","orientation":257}"#,
        #"{"type":"result","lines":[{"box":[1,2,3]}]}"#, #"{"type":"result","lines":[{"box":[1,2,3,4,5,6,7,8,9]}]}"#,
    ])
    func aLineThatBreaksTheRulesIsAnError(line: String) {
        #expect(throws: JSONError.self) { try ServerLine(json: ByteBuffer(string: line)) }
    }
}
