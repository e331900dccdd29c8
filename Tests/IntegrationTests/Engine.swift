import Foundation
import GlyphwireProtocol
import TextModel
import TextRecognition
import TextRecognitionOpenVINO

/// The real engine, and where what it needs is.
enum Engine {
    /// This package's folder.
    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// What `make setup` fetches.
    static let models = Self.root.appending(path: ".deps/models").path()

    /// Both levels, loaded once for all tests.
    static let shared = Result {
        try OpenVINOTextEngine(models: Self.models, levels: RecognitionLevel.allCases, memory: 1 << 30)
    }

    /// `fast` alone.
    static func fast() throws -> some ReadingEngine {
        try OpenVINOTextEngine(models: Self.models, levels: [.fast], memory: 1 << 30)
    }
}
