import GlyphwireProtocol
import TextModel
import NIOCore
import TestSupport
import TextRecognition
import Testing

/// The server with the real engine, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EngineServerTests {
    private let page: Page
    private let engine: any ReadingEngine

    init() throws {
        self.page = try Page()
        self.engine = try Engine.shared.get()
    }

    @Test func everyOrientationAndFormatGivesTheSameWordsAtTheSamePlaces() async throws {
        var variants: [(encoding: Page.Encoding, orientation: Orientation)] = []
        for orientation in Orientation.allCases {
            for encoding in Page.Encoding.allCases { variants.append((encoding, orientation)) }
        }
        let stream = try variants.enumerated().map { index, variant in
            try self.page.message(variant.encoding, variant.orientation, sequence: UInt64(index))
        }
        try await TestServer.run(engine: self.engine) { server in
            let client = try await TestClient.connect(port: server.port)
            #expect(try await client.nextLine()?.summary == "hello")
            let every = Message.configure(StreamConfiguration(delivery: .every))
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(([every] + stream + [.end()]).bytes)
            #expect(try await client.nextLine()?.summary == "configured 0")
            var first: [UprightWord] = []
            for (index, variant) in variants.enumerated() {
                guard
                    case .result(let result)? = try await client.nextLine(), case .ok(let text) = result.outcome,
                    result.sequence == index, text.orientation == variant.orientation
                else {
                    Issue.record("no result for \(variant)")
                    return
                }
                let words = UprightWord.words(of: text)
                if index == 0 { first = words }
                try #require(words.map(\.text).joined(separator: " ") == Page.words, "\(variant)")
                for (word, expected) in zip(words, first) {
                    let distance = word.distance(to: expected)
                    #expect(distance <= 2, "\(word.text) is \(distance) pixels off in \(variant)")
                }
            }
            #expect(try await client.remainingLines().map(\.summary) == ["end 0 after \(variants.count)"])
            try await sent.get()
            try await client.close()
        }
    }

    @Test func aFrameEqualToTheOneBeforeIsNotEvenDecoded() async throws {
        let still: (UInt64) throws -> Message = { try self.page.message(.jpeg, .up, sequence: $0) }
        let turned = try self.page.message(.jpeg, .down, sequence: 3)
        let stream = [try still(0), try still(1), try still(2), turned, try still(4)]
        try await TestServer.run(engine: self.engine) { server in
            let client = try await TestClient.connect(port: server.port)
            let every = Message.configure(StreamConfiguration(delivery: .every, temporal: true))
            try await client.send(([every] + stream + [.end()]).bytes)
            var texts: [FrameText] = []
            var decodeTimes: [Int] = []
            for line in try await client.remainingLines() {
                guard case .result(let result) = line, case .ok(let text) = result.outcome else { continue }
                texts.append(text)
                decodeTimes.append(result.timings.decode)
            }
            try #require(texts.count == stream.count)
            #expect(decodeTimes.map { $0 > 0 } == [true, false, false, true, true])
            #expect(texts.map(\.reused) == [false, true, true, false, false])
            #expect(texts[1] == texts[0].repeated && texts[2] == texts[1])
            #expect(texts[1].lines.allSatisfy { $0.state == .kept })
            try await client.close()
        }
    }

    @Test func aFrameAmongManyConnectionsIsAnsweredAsItIsAlone() async throws {
        let variants: [(Page.Encoding, Orientation)] = [
            (.jpeg, .up), (.bgraLZ4Block, .right), (.gray, .downMirrored), (.jpeg, .leftMirrored),
        ]
        let frames = try variants.enumerated().map { try self.page.message($1.0, $1.1, sequence: UInt64($0)) }
        let configurations = [RecognitionLevel.fast, .fast, .fast, .accurate].map {
            Message.configure(StreamConfiguration(delivery: .every, reading: ReadingOptions(level: $0)))
        }
        try await TestServer.run(engine: self.engine) { server in
            /// The result lines of one connection, without the times.
            @Sendable func lines(_ messages: [Message]) async throws -> [Substring] {
                let client = try await TestClient.connect(port: server.port)
                let sent: EventLoopFuture<Void> = client.channel.writeAndFlush((messages + [.end()]).bytes)
                var lines: [Substring] = []
                while let line = await client.nextText() {
                    guard line.hasPrefix(#"{"type":"result""#) else { continue }
                    lines.append(try #require(line.firstRange(of: #","timings_us""#).map { line[..<$0.lowerBound] }))
                }
                try await sent.get()
                try await client.close()
                return lines
            }
            var alone: [[Substring]] = []
            for configuration in configurations {
                var results: [Substring] = []
                for frame in frames { results += try await lines([configuration, frame]) }
                #expect(results.count == frames.count)
                alone.append(results)
            }
            try await withThrowingTaskGroup(of: Void.self) { [alone] connections in
                for number in 0..<16 {
                    connections.addTask {
                        let kind = number % configurations.count
                        let order = frames.indices.map { ($0 + number) % frames.count }
                        let together = try await lines([configurations[kind]] + order.map { frames[$0] })
                        #expect(together == order.map { alone[kind][$0] })
                    }
                }
                try await connections.waitForAll()
            }
        }
    }
}

/// A word with its corners in the upright picture.
private struct UprightWord {
    let text: String
    let corners: [Point]

    static func words(of text: FrameText) -> [UprightWord] {
        text.linesAsSent.flatMap(\.words).map { word in
            UprightWord(
                text: word.text,
                corners: word.box.corners.map {
                    text.orientation.upright($0, width: text.width, height: text.height)
                }
            )
        }
    }

    /// Largest distance of a corner from its counterpart in `other`, on either axis.
    func distance(to other: UprightWord) -> Float {
        zip(self.corners, other.corners).map { max(abs($0.x - $1.x), abs($0.y - $1.y)) }.max() ?? .infinity
    }
}
