import GlyphwireProtocol
import GlyphwireServer
import NIOConcurrencyHelpers
import NIOPosix
import TestSupport
import Testing

@testable import GlyphwireHTTP

@Suite struct PictureEmbedderTests {
    /// Counts the images of the pictures in a body.
    private func imageCount(
        _ body: [UInt8],
        contentType: String? = nil,
        with pictures: PictureReader = PictureReader(workers: 2, threads: .singleton)
    ) async throws -> Int {
        let reader = GlyphwireServer(engine: StubEngine(), logger: .silent).makeLocalReader()
        let content = try ReadRequest(RequestBody(bytes: body, received: .now), contentType: contentType)
        let embedder = PictureEmbedder(content: content, pictures: pictures, reader: reader)
        return try await embedder.withImages(holding: HeldMemory(reader)) { $0.count }
    }

    private func form(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        files.flatMap { file in
            let head = "--XY\r\nContent-Disposition: form-data; name=file; filename=\(file.name)\r\n\r\n"
            return Array(head.utf8) + file.bytes + Array("\r\n".utf8)
        } + Array("--XY--\r\n".utf8)
    }

    @Test func picturesAreEmbeddedInTheirTurn() async throws {
        let pictures = PictureReader(workers: 1, threads: .singleton)
        let jpeg = try AnnotateRequests.jpeg.get()
        let events = NIOLockedValueBox<[String]>([])
        let (permits, continuation) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            // Both permits of a worker.
            for _ in 0..<2 {
                tasks.addTask {
                    try await pictures.withPermit {
                        continuation.yield()
                        // A picture that needed no permit would be decoded in this time.
                        for _ in 0..<100 {
                            let file = PictureReader.File(bytes: jpeg, name: "a.jpg", received: .now)
                            try await pictures.decode(file) { _ in }
                        }
                        events.withLockedValue { $0.append("permit returned") }
                    }
                }
            }
            for await _ in permits.prefix(2) {}
            tasks.addTask {
                let count = try await self.imageCount(jpeg, with: pictures)
                #expect(count == 1)
                events.withLockedValue { $0.append("embedded") }
            }
            try await tasks.waitForAll()
        }
        #expect(events.withLockedValue(\.self).first == "permit returned")
    }

    @Test func thePictureThatCannotBeEmbeddedIsTheErrorOfTheRequest() async throws {
        let (jpeg, png) = (try AnnotateRequests.jpeg.get(), try AnnotateRequests.png.get())
        let cut = Array(png.dropLast(20))
        let alone = await #expect(throws: ReadError.self) { try await self.imageCount(cut) }
        #expect(alone?.error.code == .fileCorrupt && alone?.error.message.hasPrefix("the body") == true)
        let type = "multipart/form-data; boundary=XY"
        let files: [(name: String, bytes: [UInt8])] = [
            ("a.jpg", jpeg), ("b.png", cut), ("c.png", Array("no".utf8)), ("d.png", png),
        ]
        let several = await #expect(throws: ReadError.self) {
            try await self.imageCount(self.form(files), contentType: type)
        }
        #expect(several?.error.code == .fileCorrupt && several?.error.message.hasPrefix("b.png") == true)
        #expect(try await self.imageCount(self.form([files[0], files[3]]), contentType: type) == 2)
    }
}
