import GlyphwireProtocol
import TextModel
import NIOCore
import TestSupport
import TextRecognition
import Testing

/// A camera that is rotated while it streams, with orientation detected by the server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TurningCameraTests {
    private let page: Page
    private let engine: any ReadingEngine

    init() throws {
        self.page = try Page()
        self.engine = try Engine.shared.get()
    }

    /// Outcome of a frame: its detected orientation, and its text.
    private struct Seen {
        var orientation: Orientation
        var words: String
    }

    /// Streams the page in the camera's orientation for each frame, with headers that do not state it.
    private func see(_ page: Page, held: [Orientation], temporal: Bool) async throws -> [Seen] {
        var frames: [Message] = []
        for (index, orientation) in held.enumerated() {
            // No frame equals the previous one, as with any camera.
            let page = page.darker(by: UInt8(index % 3))
            var frame = try page.message(.gray, orientation, sequence: UInt64(index))
            frame.header.orientation = 0
            frames.append(frame)
        }
        let configuration = StreamConfiguration(
            delivery: .every,
            temporal: temporal,
            reading: ReadingOptions(characters: false, upright: .auto)
        )
        return try await TestServer.run(engine: self.engine) { server in
            let client = try await TestClient.connect(port: server.port)
            let messages = [Message.configure(configuration)] + frames + [.end()]
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(messages.bytes)
            var seen: [Seen] = []
            for line in try await client.remainingLines() {
                guard case .result(let result) = line, case .ok(let text) = result.outcome else { continue }
                let words = text.lines.flatMap(\.words).map(\.text).joined(separator: " ")
                seen.append(Seen(orientation: text.orientation, words: words))
            }
            try await sent.get()
            try await client.close()
            return seen
        }
    }

    private static let turns: [Orientation] = [
        .up, .up, .right, .right, .right, .down, .down, .left, .left, .down, .up, .up,
    ]

    @Test(arguments: [true, false])
    func theFirstFrameOfACameraThatIsTurnedIsReadUpright(temporal: Bool) async throws {
        for page in [self.page, self.page.squared] {
            let seen = try await self.see(page, held: Self.turns, temporal: temporal)
            #expect(seen.map(\.orientation) == Self.turns)
            for frame in seen { #expect(frame.words == Page.words) }
        }
    }
}
