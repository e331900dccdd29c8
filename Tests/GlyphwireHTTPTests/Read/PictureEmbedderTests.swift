import GlyphwireProtocol
import GlyphwireServer
import NIOPosix
import TestSupport
import Testing

@testable import GlyphwireHTTP

@Suite struct PictureEmbedderTests {
    /// Counts the images of the pictures in a body.
    private func imageCount(_ body: [UInt8], contentType: String? = nil) async throws -> Int {
        let reader = GlyphwireServer(engine: StubEngine(), logger: .silent).makeLocalReader()
        let content = try ReadRequest(RequestBody(bytes: body, received: .now), contentType: contentType)
        let pictures = PictureReader(workers: 2, threads: .singleton)
        let embedder = PictureEmbedder(content: content, pictures: pictures, reader: reader)
        return try await embedder.withImages(holding: HeldMemory(reader)) { $0.count }
    }

    private func form(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        files.flatMap { file in
            let head = "--XY\r\nContent-Disposition: form-data; name=file; filename=\(file.name)\r\n\r\n"
            return Array(head.utf8) + file.bytes + Array("\r\n".utf8)
        } + Array("--XY--\r\n".utf8)
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
