import ImageCodecs
import SeededRandom
import TextModel
import TextRecognition
import TextRecognitionOpenVINO
import TextRecognitionTesseract
import Testing

/// Tesseract, where it is installed.
private enum Tesseract {
    static let reader = TesseractReader()
    static let isInstalled = Set(Self.reader?.languages ?? []).isSuperset(of: ["ru", "he"])
}

/// Lines that Tesseract reads, where it and these languages are installed.
@Suite(.enabled(if: Tesseract.isInstalled, "libtesseract5, tesseract-ocr-rus and tesseract-ocr-heb are installed"))
struct TesseractReaderTests {
    private static let engine = Result {
        try OpenVINOTextEngine(
            models: Models.folder,
            levels: RecognitionLevel.allCases,
            memory: 1 << 30,
            scriptReader: Tesseract.reader
        )
    }

    @Test(arguments: RecognitionLevel.allCases)
    func linesInScriptsWithAReaderAreRead(level: RecognitionLevel) throws {
        let lines = try Scripts.read(by: try Self.engine.get().makeReader(), ReadingOptions(level: level))
        #expect(
            lines.map(\.text).filter { !$0.isEmpty }.prefix(3) == ["Exit to the city", "Выход в город", "10:45 - 3/2"]
        )
        let russian = try #require(lines.first { $0.script == "Cyrl" })
        #expect((russian.reason, russian.words.count) == (nil, 3))
        #expect(russian.confidence > 0.8)
        // Its letters are where they are drawn: 60 to 290 pixels from the left.
        #expect(abs(russian.words[0].characters[0].box.topLeft.x - 62) < 4)
        #expect(abs(russian.words[2].characters[4].box.topRight.x - 290) < 4)
        let hebrew = try #require(lines.first { $0.script == "Hebr" })
        #expect(hebrew.words.map(\.text) == ["יציאה", "לעיר"])
        #expect(abs(hebrew.box.topLeft.x - 202) < 4)
        #expect(abs(hebrew.box.topRight.x - 60) < 4)
    }

    @Test func theEngineOffersTheLanguages() throws {
        let engine = try Self.engine.get()
        #expect(Set(engine.languages(of: .fast)).isSuperset(of: ["de", "he", "ru"]))
        #expect(engine.languages(of: .fast) == engine.languages(of: .fast).sorted())
        try engine.validate(ReadingOptions(languages: ["ru-RU", "en"]))
        let reader = engine.makeReader()
        let english = try Scripts.read(by: reader, ReadingOptions(languages: ["en"]))
        #expect(english.first { $0.script == "Cyrl" }?.reason == .scriptUnavailable)
    }

    /// Noise of every width up to that of three letters, and some wider: the library must not end the process.
    @Test func noPictureIsTooSmallOrTooNoisy() throws {
        let reader = try #require(Tesseract.reader)
        var generator = SplitMix64(7)
        for width in Array(1...144) + [500, 2880] {
            let pixels = (0..<48 * width).map { _ in UInt8.random(in: 0...255, using: &generator) }
            for level: UInt8? in [nil, 0, 255] {
                let pixels = level.map { [UInt8](repeating: $0, count: pixels.count) } ?? pixels
                let reading = pixels.withUnsafeBufferPointer {
                    reader.read($0, width: width, height: 48, language: "ru")
                }
                if let reading { #expect(reading.words.allSatisfy { !$0.characters.isEmpty }) }
            }
        }
        #expect([UInt8]().withUnsafeBufferPointer { reader.read($0, width: 0, height: 48, language: "ru") } == nil)
        #expect([UInt8]().withUnsafeBufferPointer { reader.read($0, width: 9, height: 48, language: "ru") } == nil)
    }

    @Test func anUnknownLanguageOrFolderIsNone() {
        #expect(TesseractReader(folder: "/no-folder") == nil)
        let pixels = [UInt8](repeating: 0, count: 48 * 96)
        #expect(
            pixels.withUnsafeBufferPointer { Tesseract.reader?.read($0, width: 96, height: 48, language: "xx") } == nil
        )
    }
}
