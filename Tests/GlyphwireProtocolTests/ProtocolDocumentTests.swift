import Foundation
import GlyphwireProtocol
import TextModel
import NIOCore
import Testing

/// Checks Protocol.md against the code.
@Suite struct ProtocolDocumentTests {
    static let document = try? ProtocolDocument()
    static let examples = document?.examples ?? []

    @Test func everyMessageHasAnExample() throws {
        let types = Self.examples.compactMap { $0.bytes.count > 4 ? $0.bytes[4] : nil }
        #expect(Set(types) == Set(MessageType.allCases.map(\.rawValue)))
        let answers = try Self.examples.map { try ServerLine(json: ByteBuffer(string: $0.answer)) }
        #expect(answers.count == Self.document?.blocks(of: "hex").count)
        #expect(answers.count + 1 == Self.document?.blocks(of: "json").count)
    }

    @Test func everyLineIsWrittenJustSo() throws {
        let lines = try #require(Self.document).blocks(of: "json")
        for line in lines {
            #expect(written(try ServerLine(json: ByteBuffer(string: line))) == line + "\n")
        }
    }

    @Test func everyRuleHasALabelOfItsOwn() throws {
        let labels = try #require(Self.document).text.split(separator: "\n").compactMap { line in
            line.prefixMatch(of: /- \*\*([A-Z][0-9]+)\./).map { String($0.1) }
        }
        #expect(labels.count > 100)
        #expect(Set(labels).count == labels.count)
    }

    @Test func theFirstLineIsTheDefaultHello() throws {
        let line = try #require(Self.document?.blocks(of: "json").first)
        let hello = Hello(version: "0.1.0", limits: WireLimits(), levels: RecognitionLevel.allCases)
        #expect(line + "\n" == written(.hello(hello)))
    }

    @Test(arguments: examples.indices)
    func theExampleIsAnsweredAsDocumented(index: Int) throws {
        let example = Self.examples[index]
        let answer = try ServerLine(json: ByteBuffer(string: example.answer))
        var stream = example.bytes
        if stream.count == MessageHeader.byteCount, case .result = answer {
            // Only the header of the JPEG is shown.
            stream += Array(repeating: 0, count: 48_213)
        }
        let (messages, failure, isBetweenMessages) = assemble([stream])
        guard let message = messages.first else {
            #expect(answer == .error(ErrorLine(error: try #require(failure), sequence: nil)))
            #expect(example.answer == written(.error(ErrorLine(error: try #require(failure), sequence: nil))))
            return
        }
        #expect(messages.count == 1)
        #expect(isBetweenMessages)
        #expect(Array(message.bytes.prefix(example.bytes.count)) == example.bytes)

        switch (try message.header.checkedType(), answer) {
        case (.frame, .result(let result)):
            #expect(result.sequence == message.header.sequence)
            #expect(result.capturedMicroseconds == message.header.capturedMicroseconds)
            let described = Result { () throws(WireError) in
                try FrameDescription(header: message.header, limits: WireLimits())
            }
            switch (described, result.outcome) {
            case (.success(let frame), .ok(let text)):
                #expect(frame.orientation ?? .up == text.orientation)
                #expect(frame.format == .jpeg || frame.width == text.width && frame.height == text.height)
                // Frames are compared by default.
                #expect(text.lines.allSatisfy { $0.state != nil && $0.words.allSatisfy { $0.id != nil } })
            case (.failure(let error), .error(let expected)):
                #expect(error == expected)
            default:
                Issue.record("\(described) is answered by \(result.outcome)")
            }
        case (.configure, .configured(let configured)):
            let options = try StreamConfiguration(json: message.payload)
            #expect(Configured(sequence: message.header.sequence, options: options) == configured)
        case (.configure, .error(let line)):
            let error = wireError { () throws(WireError) in try StreamConfiguration(json: message.payload) }
            #expect(error == line.error)
            #expect(line.sequence == message.header.sequence)
        case (.ping, .pong(let pong)):
            #expect(pong.sequence == message.header.sequence)
            #expect(pong.capturedMicroseconds == message.header.capturedMicroseconds)
        case (.stats, .stats(let stats)):
            #expect(stats.sequence == message.header.sequence)
        case (.end, .end(let end)):
            #expect(end.sequence == message.header.sequence)
        default:
            Issue.record("\(message.header) is answered by \(answer)")
        }
    }

    @Test func everyMessageIsInBothTablesOfTypes() throws {
        let rows = try #require(Self.document).rows.filter { $0.count == 4 }
        let numbers = MessageType.allCases.map { "\($0.rawValue) \($0)" }.joined(separator: ", ")
        #expect(rows.contains { $0[2] == "type" && $0[3] == numbers })
        for type in MessageType.allCases {
            let row = try #require(rows.first { $0[0] == "\(type.rawValue)" && $0[1] == "\(type)" }, "\(type)")
            #expect((row[2] == "nothing") == !type.hasPayload, "\(type)")
        }
    }

    @Test func everyFeatureIsInTheTableOfTheHello() throws {
        let rows = try #require(Self.document).rows
        let row = try #require(rows.first { $0[0] == "`features`" })
        #expect(Hello.features.allSatisfy { row[2].contains("`\"\($0)\"`") })
        for type in MessageType.allCases {
            guard let feature = type.feature else { continue }
            #expect(row[2].contains("`\"\(feature)\"`: message type \(type.rawValue)"))
        }
    }

    @Test func everyLineHasItsSectionAndItsSchema() throws {
        let types = LineType.allCases.map(\.rawValue)
        let text = try #require(Self.document).text
        #expect(types.allSatisfy { text.contains("\n### `\($0)`\n") })
        let schema = try Self.schema()
        let type = (schema["properties"] as? [String: [String: Any]])?["type"]
        #expect(type?["x-known"] as? [String] == types)
        let definitions = try #require(schema["$defs"] as? [String: Any])
        #expect(types.allSatisfy { definitions[$0] != nil })
    }

    @Test func everyAnswerIsInTheRuleOfAnswers() throws {
        let rule = try #require(Self.document).text.components(separatedBy: "**D2.**").dropFirst().first
        let answers = try #require(rule?.components(separatedBy: " are answers").first)
        for line in ServerLineTests.lines where line.answered != nil {
            let type = try #require(written(line).split(separator: "\"").dropFirst(3).first)
            #expect(answers.contains("`\(type)`"))
        }
    }

    @Test func everyErrorCodeIsInTheTable() throws {
        let rows = try #require(Self.document).rows
        let table = rows.filter { $0.count == 5 && ["yes", "no"].contains($0[1]) }
        #expect(table.allSatisfy { ["as is", "later", "fix first", "never"].contains($0[2]) })
        let codes = table.map { $0[0].trimmingCharacters(in: ["`"]) }
        #expect(codes.sorted() == WireError.Code.allCases.map(\.rawValue).sorted())
        for (code, row) in zip(codes, table) {
            #expect((row[1] == "yes") == WireError.Code(rawValue: code).isFatal, "\(code)")
            #expect(["as is", "later"].contains(row[2]) == WireError.Code(rawValue: code).isRetryable, "\(code)")
        }
    }

    @Test func everyOptionIsInTheTable() throws {
        let rows = try #require(Self.document).rows
        let forms: [String: [StreamOption.Form]] = [
            "string": [.string], "boolean": [.literal], "number": [.literal], "whole number": [.literal],
            "array of strings": [.words, .texts], "array of 4 numbers": [.numbers], "array of objects": [.objects],
        ]
        let options = rows.filter { $0.count == 5 && forms.keys.contains($0[1]) }
        let body = StreamConfiguration.withEveryOption.json()
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]
        )
        let names = StreamOption.all.map(\.name).sorted()
        #expect(options.map { $0[0].trimmingCharacters(in: ["`"]) }.sorted() == names)
        #expect(json.keys.sorted() == names)
        for option in options {
            let name = option[0].trimmingCharacters(in: ["`"])
            let form = try #require(StreamOption.all.first { $0.name == name }?.form)
            #expect(forms[option[1]]?.contains(form) == true, "\(name)")
            guard option[2] != "none" else { continue }
            let defaults = written(.configured(Configured(sequence: 0, options: StreamConfiguration())))
            #expect(defaults.contains("\"\(name)\":\(option[2].trimmingCharacters(in: ["`"]))"), "\(name)")
        }
    }

    /// Reading options that all differ from the defaults.
    private static let otherReading = ReadingOptions(
        level: .accurate,
        recognize: false,
        characters: false,
        minimumTextHeight: 0.5,
        regionOfInterest: Region(x: 0, y: 0, width: 0.5, height: 0.5),
        upright: .auto,
        languages: ["en"],
        languageHints: ["en"],
        customWords: ["Gleis"],
        allowedCharacters: AllowedCharacters("0-9"),
        languageCorrection: false,
        unreadable: .omit,
        candidates: 2
    )

    /// A stream restarts when its reading options change, so those are the options that reset ids.
    @Test func theTableOfResetsHasEveryOption() throws {
        let readings = [ReadingOptions(), Self.otherReading]
        for (plain, other) in zip(Mirror(reflecting: readings[0]).children, Mirror(reflecting: readings[1]).children) {
            try #require("\(plain.value)" != "\(other.value)", "\(plain.label ?? "") has its default")
        }
        let bodies = try readings.map { reading in
            let body = StreamConfiguration(reading: reading).json()
            let json = try JSONSerialization.jsonObject(with: Data(body.readableBytesView))
            return try #require(json as? [String: Any]).mapValues { "\($0)" }
        }
        let names = Set(StreamOption.all.map(\.name))
        func options(_ rows: [[String]]) -> Set<String> {
            Set(rows.flatMap { $0[0].matches(of: /`(\w+)`/).map { String($0.1) } }).intersection(names)
        }
        let rows = try #require(Self.document).rows.filter { $0.count == 2 }
        let (reset, none) = (rows.filter { $0[1].hasPrefix("reset") }, rows.filter { $0[1] == "none" })
        let values = options(reset.filter { $0[0].hasPrefix("another value of ") })
        #expect(values == names.filter { bodies[0][$0] != bodies[1][$0] })
        #expect(values.isDisjoint(with: options(none)))
        #expect(options(reset + none) == names)
    }

    /// The schema of lines and options.
    private static func schema() throws -> [String: Any] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/protocol.schema.json")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file.standardizedFileURL))
        return try #require(json as? [String: Any])
    }

    @Test func everyOptionIsInTheSchema() throws {
        let definitions = try #require(try Self.schema()["$defs"] as? [String: Any])
        func names(_ definition: String) throws -> [String] {
            let properties = (definitions[definition] as? [String: Any])?["properties"]
            return try #require(properties as? [String: Any]).keys.sorted()
        }
        #expect(try names("options") == StreamOption.all.map(\.name).sorted())
        #expect(try names("region") == StreamRegion.Member.allCases.map(\.rawValue).sorted())
    }

    @Test func theLimitsAreTheDefaults() throws {
        let text = try #require(Self.document).text
        let limits = WireLimits()
        for limit in [
            limits.maxMessageBytes, limits.picture.maxPixels, limits.picture.maxSide, limits.maxConfigureBytes,
        ] {
            #expect(text.contains("| \(limit)"))
        }
    }
}
