import ImageCodecs
import GlyphwireProtocol
import TextModel
import NIOCore
import StubServer
import Testing

@testable import GlyphwireReplay

@Suite(.timeLimit(.minutes(1))) struct OverlayWriterTests {
    /// Plays four frames of 16 x 8 gray pixels, the second one damaged, and draws every `interval`th.
    private static func draw(every interval: Int) async throws -> (names: [String], OverlayWriter.Summary, PixelBuffer?)
    {
        let folder = try TemporaryFolder()
        let messages = (1...4).map { sequence in
            let header = MessageHeader(
                type: .frame,
                format: .gray,
                orientation: 6,
                sequence: UInt64(sequence),
                capturedMicroseconds: 1,
                width: 16,
                height: 8,
                payloadByteCount: 0
            )
            return Message(header: header, payload: ByteBuffer(repeating: 128, count: sequence == 2 ? 5 : 128))
        }
        let session = try folder.file("session.gws", TestSession.bytes(messages))
        let overlay = try OverlayWriter(folder: "\(folder.path)/overlay", every: interval)
        try await StubServer.withServer { server in
            let configuration = ReplayConfiguration(
                session: session,
                port: server.port,
                pace: .rate(1e6),
                passes: 2,
                results: overlay.resultsPath
            )
            let report = try await Replay(configuration).run()
            #expect(report.statistics.ok == 8)
        }
        let summary = try await overlay.write(session: session, results: overlay.resultsPath)
        let picture = try? PictureFile(path: "\(folder.path)/overlay/frame-000001.jpg").picture().pixels
        return (try TemporaryFolder.names(in: "\(folder.path)/overlay"), summary, picture)
    }

    @Test func everyFrameWithAResultIsDrawnOnceAsItWasSent() async throws {
        let (names, summary, picture) = try await Self.draw(every: 1)
        #expect(names == ["frame-000001.jpg", "frame-000003.jpg", "frame-000004.jpg", "results.ndjson"])
        #expect(summary.written == 3)
        #expect(summary.failures.count == 1)
        #expect(summary.failures.first?.hasPrefix("frame 2: ") == true)
        #expect(picture?.width == 16)
        #expect(picture?.height == 8)
        // The word's box goes through (2, 2): red where the frame was gray.
        let pixel = picture.map { Array($0.bytes[(2 * 16 + 6) * 4..<(2 * 16 + 6) * 4 + 3]) } ?? []
        #expect(pixel.count == 3 && pixel[2] > pixel[0])
    }

    @Test func framesBetweenAreLeftOut() async throws {
        let (names, summary, _) = try await Self.draw(every: 3)
        #expect(names == ["frame-000001.jpg", "frame-000004.jpg", "results.ndjson"])
        #expect(summary == OverlayWriter.Summary(written: 2))
    }
}
