import Foundation
import GlyphwireProtocol
import TextModel
import TextRecognition
import TextRecognitionOpenVINO

/// The real engine, with the paths of its files.
enum Engine {
    /// Root folder of this package.
    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// Folder that `make setup` fills.
    static let models = Self.root.appending(path: ".deps/models").path()

    /// Engine with both levels, loaded once for all tests.
    static let shared = Result {
        try OpenVINOTextEngine(models: Self.models, levels: RecognitionLevel.allCases, memory: 1 << 30)
    }

    /// Engine with only `fast`.
    static func fast() throws -> some ReadingEngine {
        try OpenVINOTextEngine(models: Self.models, levels: [.fast], memory: 1 << 30)
    }
}
