import Foundation
import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing
import TextRecognition
import TextRecognitionOpenVINO

/// Picture that `Fixtures/make-fixtures.py` creates, with its content.
struct Signs {
    /// A line of it, with the left, top, right and bottom of each character's ink.
    struct Line: Decodable {
        var text: String
        var characters: [[Float]]

        var boxes: [Quad] {
            self.characters.map { Quad(x: $0[0], y: $0[1], width: $0[2] - $0[0], height: $0[3] - $0[1]) }
        }
    }

    let pixels: PixelBuffer
    let lines: [Line]

    init() throws {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        self.pixels = try PictureFile(path: folder.appending(path: "signs.png").path).picture().pixels
        self.lines = try JSONDecoder().decode(
            [Line].self,
            from: try Data(contentsOf: folder.appending(path: "signs.json"))
        )
    }

    /// The last line four times in a row, wider than any fixed-width network, below two others.
    var banner: PixelBuffer {
        let (width, channels) = (1300, self.pixels.format.bytesPerPixel)
        return PixelBuffer(width: width, height: 640, format: self.pixels.format) { x, y, channel in
            let isBanner = (470..<530).contains(y) && (40..<40 + 4 * 304).contains(x)
            let source = isBanner ? 108 + (x - 40) % 304 : (100..<220).contains(y) || (y < 380 && y > 240) ? x : 0
            return self.pixels.bytes[(y * 640 + min(source, 639)) * channels + channel]
        }
    }
    /// Text of the wide line of ``banner``, without spaces.
    var bannerText: String { String(repeating: self.lines[3].text.filter { $0 != " " }, count: 4) }

    /// Reads the picture, sent in one orientation while another is stated.
    func read(
        by reader: any TextReader,
        _ options: ReadingOptions = ReadingOptions(),
        sentAs orientation: Orientation = .up,
        saying said: Orientation? = nil
    ) throws -> [TextLine] {
        try self.pixels.sent(as: orientation).withPixels { view in
            try reader.read(view, orientation: said ?? orientation, options: options).lines
        }
    }
}

/// Words that `Fixtures/make-fixtures.py` sets small, one by one.
enum Names {
    static let words: Set = ["Iltis", "Zürich", "Łódź", "Ølsen", "Málaga", "Nîmes", "G6C0", "Ümraniye"]

    /// The words as recognized by `reader`.
    static func read(by reader: any TextReader, _ options: ReadingOptions) throws -> Set<String> {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let pixels = try PictureFile(path: folder.appending(path: "names.png").path).picture().pixels
        return try pixels.withPixels { view in
            Set(try reader.read(view, orientation: .up, options: options).lines.map(\.text))
        }
    }
}

/// Lines in several scripts that `Fixtures/make-fixtures.py` sets.
enum Scripts {
    /// Text of each line that is read, and the script of the others.
    static let lines = ["Exit to the city", "Cyrl", "10:45 - 3/2", "Hebr", "Geor", "Armn", "Platform 9"]

    /// The lines as recognized by `reader`.
    static func read(by reader: any TextReader, _ options: ReadingOptions) throws -> [TextLine] {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let pixels = try PictureFile(path: folder.appending(path: "scripts.png").path).picture().pixels
        return try pixels.withPixels { try reader.read($0, orientation: .up, options: options).lines }
    }
}

/// Models that `make setup` fetches.
enum Models {
    /// Folder of the models.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../.deps/models")
        .standardizedFileURL.path

    /// An engine with both levels.
    static let engine = Result {
        try OpenVINOTextEngine(models: Self.folder, levels: RecognitionLevel.allCases, memory: 1 << 30)
    }
}

/// A folder that is removed after the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        self.path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }

    /// Writes a file into it.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = "\(self.path)/\(name)"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }
}
