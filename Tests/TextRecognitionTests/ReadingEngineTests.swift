import GlyphwireProtocol
import Synchronization
import TextModel
import Testing

@testable import TextRecognition

@Suite struct ReadingEngineTests {
    private struct Engine: ReadingEngine {
        let levels: [RecognitionLevel] = [.fast]

        func languages(of level: RecognitionLevel) -> [String] { level == .fast ? ["de", "en"] : [] }
        func canRead(_ character: Character, at level: RecognitionLevel) -> Bool { character.isASCII }
        func makeReader(executor: any ParallelExecutor) -> any TextReader { FrameReader([:]) }
    }

    /// Engine that counts how often it is asked for languages.
    private final class CountingEngine: ReadingEngine {
        let levels: [RecognitionLevel] = [.fast]
        private let requests = Mutex(0)
        var count: Int { self.requests.withLock { $0 } }

        func languages(of level: RecognitionLevel) -> [String] {
            self.requests.withLock { $0 += 1 }
            return ["en"]
        }

        func canRead(_ character: Character, at level: RecognitionLevel) -> Bool { true }
        func makeReader(executor: any ParallelExecutor) -> any TextReader { FrameReader([:]) }
    }

    @Test func optionsWithoutLanguagesAskForNone() throws {
        let engine = CountingEngine()
        try engine.validate(ReadingOptions(customWords: ["EXIT"]))
        #expect(engine.count == 0)
        try engine.validate(ReadingOptions(languages: ["en", "en-GB"]))
        #expect(engine.count == 1)
    }

    @Test(arguments: [[], ["en"], ["de-AT", "EN_us"]])
    func optionsThatCanBeHonouredPass(languages: [String]) throws {
        try Engine().validate(ReadingOptions(languages: languages))
    }

    @Test func aWordThatCannotBeReadIsRefusedWithItsCharacter() throws {
        try Engine().validate(ReadingOptions(customWords: ["EXIT", "Gleis"]))
        let error = #expect(throws: RecognitionError.self) {
            try Engine().validate(ReadingOptions(customWords: ["EXIT", "Glück"]))
        }
        #expect(error?.code == .unreadableWord)
        #expect(error?.message.contains("\"Glück\"") == true && error?.message.contains("\"ü\"") == true)
    }

    @Test func aLevelThatIsNotLoadedIsRefusedWithThoseThatAre() throws {
        let error = #expect(throws: RecognitionError.self) { try Engine().validate(ReadingOptions(level: .accurate)) }
        #expect(error?.code == .levelUnavailable)
        #expect(error?.message.contains("accurate") == true && error?.message.contains("fast") == true)
    }

    @Test(arguments: ["fr", "zz", "", "en english", "deutsch"])
    func aLanguageThatCannotBeReadIsRefusedWithThoseThatCan(code: String) throws {
        let error = #expect(throws: RecognitionError.self) {
            try Engine().validate(ReadingOptions(languages: ["en", code]))
        }
        #expect(error?.code == .unsupportedLanguage)
        #expect(error?.message.contains("\"\(code)\"") == true && error?.message.contains("de, en") == true)
    }
}
