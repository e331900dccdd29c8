import CPNG
import Foundation
import ImageCodecs
import TestSupport
import Testing

/// The page as text exported by subtitle tools and editors: only its letters, in some colour, on transparency.
@Suite(.timeLimit(.minutes(3))) struct TransparentPageTests {
    /// The letters of the page as a PNG file, in blue, green and red.
    private func letters(_ ink: [UInt8]) throws -> [UInt8] {
        let page = try PictureFile(path: Page.path).picture().pixels
        let levels = page.bytes
        var samples: [UInt8] = []
        for row in 0..<page.height {
            for level in levels[(row * page.bytesPerRow)...].prefix(page.width) { samples += ink + [255 - level] }
        }
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        (image.width, image.height) = (UInt32(page.width), UInt32(page.height))
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_BGR)
        var file = [UInt8](repeating: 0, count: samples.count + 100_000)
        var byteCount = file.count
        try #require(png_image_write_to_memory(&image, &file, &byteCount, 0, samples, 0, nil) != 0)
        return Array(file.prefix(byteCount))
    }

    @Test func lettersOfAnyColourAreReadOnNothing() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for ink in [[255, 255, 255], [0, 0, 0], [0, 230, 255]] as [[UInt8]] {
            let file = folder.appending(path: "\(paths.count).png")
            try Data(try self.letters(ink)).write(to: file)
            paths.append(file.path())
        }
        let outcome = await
            (try Program("glyphwire", ["read"] + paths, environment: ["GLYPHWIRE_MODELS": Engine.models]))
            .wait()
        #expect(outcome.exitCode == 0 && outcome.errors == "", "\(outcome.errors)")
        let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words == paths.map { "==> \($0) <== \(Page.words)" }.joined(separator: " "))
    }
}
