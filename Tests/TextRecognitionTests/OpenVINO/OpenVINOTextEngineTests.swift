import Foundation
import ImageCodecs
import GlyphwireProtocol
import TextModel
import NIOConcurrencyHelpers
import Testing
import TextRecognition

@testable import TextRecognitionOpenVINO

@Suite struct OpenVINOTextEngineTests {
    private static let detector = Self.name(ModelSize.tiny.detector(in: ""))
    private static let dynamicDetector = Self.name(ModelSize.tiny.detector(in: "", isDynamic: true))
    private static let recognizer = Self.name(ModelSize.tiny.recognizer(in: ""))
    private static let second = Self.name(ModelSize.small.recognizer(in: ""))
    private static let (characters, secondCharacters) = ("recognizer-tiny.characters", "recognizer-small.characters")
    private static let words = "words-latin.bloom"
    private static let files = [detector, dynamicDetector, recognizer, second, characters, secondCharacters, words]

    private static func name(_ file: ModelFile) -> String { URL(filePath: file.path).lastPathComponent }

    /// Error of an engine for a folder with the fast models, after `change`.
    private static func refusal(_ change: (TemporaryFolder) throws -> Void) throws -> String {
        let folder = try TemporaryFolder()
        for name in Self.files {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/\(name)",
                withDestinationPath: "\(Models.folder)/\(name)"
            )
        }
        try change(folder)
        let error = #expect(throws: OpenVINOError.self) {
            try OpenVINOTextEngine(models: folder.path, levels: [.fast], memory: 1 << 30)
        }
        return error?.description ?? ""
    }

    private static func replace(_ name: String, in folder: TemporaryFolder, with bytes: [UInt8]) throws {
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
        _ = try folder.write(bytes, to: name)
    }

    private static func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(Models.folder)/\(name)")))
    }

    /// Whether the error is one line that names the file and the remedy.
    private static func isClear(_ refusal: String, about name: String) -> Bool {
        refusal.contains(name) && refusal.contains("install Glyphwire again") && !refusal.contains { $0.isNewline }
    }

    @Test func bothLevelsAreOfferedWithTheirLanguages() throws {
        let engine = try Models.engine.get()
        #expect(engine.levels == [.fast, .accurate])
        let common: Set = ["de", "en", "es", "fr", "it", "nl", "pt", "zh"]
        for level in engine.levels {
            let languages = engine.languages(of: level)
            #expect(common.isSubset(of: languages))
            #expect(languages == languages.sorted())
            #expect(!languages.contains("ko"))
        }
        // The tiny model knows too few kana; at `fast` the second recognizer reads such lines.
        #expect(engine.languages(of: .fast).contains("ja") && engine.languages(of: .accurate).contains("ja"))
    }

    /// Reader of scripts that counts how often it is asked for its languages.
    private final class CountingReader: ScriptReader {
        let count = NIOLockedValueBox(0)

        var languages: [String] {
            self.count.withLockedValue { $0 += 1 }
            return ["ru", "bg"]
        }

        func read(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, language: String) -> ScriptReading? {
            nil
        }
    }

    @Test func languagesAreCollectedOnce() throws {
        let reader = CountingReader()
        let engine = try OpenVINOTextEngine(
            models: Models.folder,
            levels: [.fast],
            memory: 1 << 30,
            scriptReader: reader
        )
        let count = reader.count.withLockedValue { $0 }
        try engine.validate(ReadingOptions(languages: ["ru", "en"]))
        #expect(engine.languages(of: .fast).contains("ru"))
        #expect(engine.furtherLanguages == ["bg", "ru"])
        #expect(reader.count.withLockedValue { $0 } == count)
    }

    @Test func onlyTheLevelsAskedForAreLoaded() throws {
        let engine = try OpenVINOTextEngine(models: Models.folder, levels: [.fast], memory: 1 << 30)
        #expect(engine.levels == [.fast])
        #expect(engine.languages(of: .accurate).isEmpty)
        let error = #expect(throws: RecognitionError.self) {
            try Signs().read(by: engine.makeReader(), ReadingOptions(level: .accurate))
        }
        #expect(error?.code == .levelUnavailable)
    }

    @Test(arguments: RecognitionLevel.allCases)
    func expectedWordsWinCloseCallsAndOthersDoNot(level: RecognitionLevel) throws {
        let reader = try Models.engine.get().makeReader()
        let plain = try Names.read(by: reader, ReadingOptions(level: level))
        let right = Names.words.intersection(plain).count
        // The number of right ones depends on the processor's rounding.
        #expect((1...6).contains(right), "the fixture is to be hard, and not too hard: \(plain)")
        let expecting = try Names.read(by: reader, ReadingOptions(level: level, customWords: Names.words.sorted()))
        #expect(Names.words.intersection(expecting).count > right, "\(expecting)")
        // Each differs from a name by one letter.
        let similarWords = ["Iltas", "Kürich", "Lodi", "Elsen", "Malaya", "Nomes", "G6C8", "Ümraniya"]
        #expect(try Names.read(by: reader, ReadingOptions(level: level, customWords: similarWords)) == plain)
        #expect(try Names.read(by: reader, ReadingOptions(level: level)) == plain)
    }

    @Test(arguments: [Orientation.up, .right, .down, .left], RecognitionLevel.allCases)
    func orientationIsDetectedFromText(orientation: Orientation, level: RecognitionLevel) throws {
        let signs = try Signs()
        let reader = try Models.engine.get().makeReader()
        let options = ReadingOptions(level: level, upright: .auto)
        let reading = try signs.pixels.sent(as: orientation).withPixels { view in
            try reader.read(view, orientation: .up, options: options)
        }
        #expect(reading.orientation == orientation)
        #expect(reading.lines.map(\.text) == signs.lines.map(\.text))
    }

    @Test func aMissingFolderIsNamed() {
        let error = #expect(throws: OpenVINOError.self) {
            try OpenVINOTextEngine(models: "/nowhere", levels: [.fast], memory: 1 << 30)
        }
        #expect(Self.isClear(error?.description ?? "", about: "/nowhere/"))
    }

    @Test(arguments: files)
    func aMissingFileIsNamed(name: String) throws {
        let refusal = try Self.refusal { try FileManager.default.removeItem(atPath: "\($0.path)/\(name)") }
        #expect(Self.isClear(refusal, about: name))
    }

    @Test(arguments: files, [0, 1, 100, 5_000, -1])
    func aFileThatIsCutOffIsRefused(name: String, count: Int) throws {
        let whole = try Self.bytes(of: name)
        let refusal = try Self.refusal { folder in
            try Self.replace(name, in: folder, with: Array(whole[..<(count < 0 ? whole.count + count : count)]))
        }
        #expect(Self.isClear(refusal, about: name))
    }

    @Test(arguments: [
        (detector, recognizer), (recognizer, detector), (second, detector), (characters, secondCharacters),
    ])
    func theOtherModelsFileIsRefused(name: String, other: String) throws {
        let refusal = try Self.refusal { try Self.replace(name, in: $0, with: Self.bytes(of: other)) }
        #expect(Self.isClear(refusal, about: name))
    }

    @Test(arguments: files)
    func aFileOfAnotherKindIsRefused(name: String) throws {
        let refusal = try Self.refusal { try Self.replace(name, in: $0, with: Array("<html>not found</html>\n".utf8)) }
        #expect(Self.isClear(refusal, about: name))
    }

    @Test(arguments: files)
    func aFileWithOneBitOfItsWeightsChangedIsRefused(name: String) throws {
        var bytes = try Self.bytes(of: name)
        bytes[bytes.count / 2] ^= 1
        let refusal = try Self.refusal { try Self.replace(name, in: $0, with: bytes) }
        #expect(Self.isClear(refusal, about: name) && refusal.contains("SHA-256"))
    }

    @Test(arguments: RecognitionLevel.allCases)
    func whatIsNotCommonIsReadWhereverItStands(level: RecognitionLevel) throws {
        let sign = URL(filePath: #filePath).appending(path: "../../../../demo/sign.jpg").standardized.path()
        let picture = try PictureFile(path: sign).picture()
        let reader = try Models.engine.get().makeReader()
        let reading = try picture.pixels.withPixels { view in
            try reader.read(view, orientation: picture.orientation, options: ReadingOptions(level: level))
        }
        #expect(reading.lines.map(\.text).contains("梧桐里街"))
        #expect(reading.lines.map(\.text).contains("WUTONGLI STREET"))
    }

    /// Share of the characters of `lines` at their drawn positions, in a picture with `orientation`.
    private static func placed(_ lines: [TextLine], _ signs: Signs, in orientation: Orientation = .up) -> Double {
        let boxes = lines.flatMap(\.words).flatMap(\.characters).map { character in
            character.box.mapCorners { orientation.upright($0, width: 640, height: 640) }
        }
        let drawn = signs.lines.flatMap(\.boxes)
        guard boxes.count == drawn.count else { return 0 }
        return Double(zip(boxes, drawn).count { $0.distance(to: $1) < 2.5 }) / Double(drawn.count)
    }

    @Test(arguments: RecognitionLevel.allCases)
    func linesInScriptsThatCannotBeReadAreNamedAndTheOthersRead(level: RecognitionLevel) throws {
        let reader = try Models.engine.get().makeReader()
        let lines = try Scripts.read(by: reader, ReadingOptions(level: level))
        #expect(lines.map { $0.reason == nil ? $0.text : $0.script ?? "" } == Scripts.lines)
        for line in lines where line.reason != nil {
            #expect(line.text.isEmpty)
            #expect(line.words.count == (line.script == "Hebr" || line.script == "Geor" ? 2 : 3))
            #expect(line.words.allSatisfy { $0.text.isEmpty && !$0.characters.isEmpty })
        }
        let others = try Scripts.read(by: reader, ReadingOptions(level: level, unreadable: .omit))
        #expect(others.map(\.text) == ["Exit to the city", "10:45 - 3/2", "Platform 9"])
    }

    @Test(arguments: RecognitionLevel.allCases)
    func signsAreReadAndEachCharacterFound(level: RecognitionLevel) throws {
        let signs = try Signs()
        let lines = try signs.read(by: try Models.engine.get().makeReader(), ReadingOptions(level: level))
        try #require(lines.map(\.text) == signs.lines.map(\.text))
        for (line, sign) in zip(lines, signs.lines) {
            #expect(line.words.map(\.text) == sign.text.split(separator: " ").map(String.init))
            #expect(line.words.flatMap(\.characters).map(\.text).joined() == sign.text.filter { $0 != " " })
            #expect(line.recognitionScore > 0.9 && line.confidence < line.recognitionScore)
        }
        #expect(Self.placed(lines, signs) > 0.95)
    }

    @Test(arguments: RecognitionLevel.allCases, [Orientation.down, .left, .right])
    func signsThatLieOnTheirSideOrUpsideDownAreReadInTheirDirection(
        level: RecognitionLevel,
        orientation: Orientation
    ) throws {
        let signs = try Signs()
        let reader = try Models.engine.get().makeReader()
        let lines = try signs.read(by: reader, ReadingOptions(level: level), sentAs: orientation, saying: .up)
        #expect(lines.map(\.text) == signs.lines.map(\.text))
        // The network sees another picture, so some letters are cut elsewhere.
        #expect(Self.placed(lines, signs, in: orientation) > 0.7)
    }

    @Test(arguments: Orientation.allCases)
    func everyOrientationGivesTheSameTextWithinTwoPixels(orientation: Orientation) throws {
        let signs = try Signs()
        let reader = try Models.engine.get().makeReader()
        let expected = try signs.read(by: reader)
        let lines = try signs.read(by: reader, sentAs: orientation)
        #expect(lines.map(\.text) == expected.map(\.text))
        let (got, wanted) = (lines.flatMap(\.words), expected.flatMap(\.words))
        #expect(got.map(\.text) == wanted.map(\.text))
        for (word, other) in zip(got, wanted) {
            #expect(
                word.box.mapCorners { orientation.upright($0, width: 640, height: 640) }.distance(to: other.box) < 2
            )
        }
    }

    @Test(arguments: RecognitionLevel.allCases)
    func readersOnTwoThreadsGiveWhatOneAloneGives(level: RecognitionLevel) throws {
        let engine = try Models.engine.get()
        let signs = try Signs()
        let options = ReadingOptions(level: level, candidates: 2)
        let orientations: [Orientation] = [.up, .down, .up, .left]
        let alone = try orientations.map { try signs.read(by: engine.makeReader(), options, sentAs: $0, saying: .up) }
        let found = NIOLockedValueBox<[[[TextLine]]]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            let reader = engine.makeReader()
            let read = orientations.map { try? signs.read(by: reader, options, sentAs: $0, saying: .up) }
            found.withLockedValue { $0.append(read.map { $0 ?? [] }) }
        }
        // Confidences, candidates and boxes to the last bit.
        #expect(found.withLockedValue { $0 } == [alone, alone])
    }

    @Test(arguments: RecognitionLevel.allCases)
    func whoHelpsChangesNothingOfWhatIsRead(level: RecognitionLevel) throws {
        let engine = try Models.engine.get()
        let signs = try Signs()
        for picture in [signs.pixels, signs.banner] {
            func lines(_ executor: any ParallelExecutor) throws -> [TextLine] {
                try picture.withPixels { view in
                    let options = ReadingOptions(level: level, candidates: 2)
                    return try engine.makeReader(executor: executor).read(view, orientation: .up, options: options)
                        .lines
                }
            }
            let alone = try lines(InlineExecutor())
            #expect(alone.count >= 3)
            #expect(try lines(ThreadExecutor()) == alone)
        }
    }

    @Test(arguments: RecognitionLevel.allCases)
    func aLongLineIsReadAmongShortOnes(level: RecognitionLevel) throws {
        let signs = try Signs()
        let reader = try Models.engine.get().makeReader()
        // Twice, as the networks change from one width to the other.
        for _ in 0..<2 {
            let lines = try signs.banner.withPixels {
                try reader.read($0, orientation: .up, options: ReadingOptions(level: level)).lines
            }
            #expect(lines.map { $0.text.filter { $0 != " " } } == ["EXIT42", "EXIT42", signs.bannerText])
            let wide = try #require(lines.first { $0.text.count > 10 }).box
            let (width, height) = (wide.topRight.x - wide.topLeft.x, wide.bottomLeft.y - wide.topLeft.y)
            #expect(width / height * Float(LineSize.height) > 576)
        }
    }

    @Test(arguments: RecognitionLevel.allCases)
    func wideLinesOnTwoThreadsAreReadAsOnOne(level: RecognitionLevel) throws {
        let engine = try Models.engine.get()
        let banner = try Signs().banner
        @Sendable func read() throws -> [[TextLine]] {
            let reader = engine.makeReader()
            return try (0..<3).map { _ in
                try banner.withPixels {
                    try reader.read($0, orientation: .up, options: ReadingOptions(level: level)).lines
                }
            }
        }
        let alone = try read()
        let found = NIOLockedValueBox<[[[TextLine]]]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            let lines = (try? read()) ?? []
            found.withLockedValue { $0.append(lines) }
        }
        #expect(found.withLockedValue { $0 } == [alone, alone])
    }

    @Test func aFrameOfAnySizeIsRead() throws {
        let reader = try Models.engine.get().makeReader()
        for (width, height) in [(1, 1), (1, 700), (700, 1), (33, 65)] {
            let noise = PixelBuffer(noise: 51, width: width, height: height)
            #expect(throws: Never.self) {
                try noise.withPixels { try reader.read($0, orientation: .right, options: ReadingOptions()) }
            }
        }
    }

    @Test(arguments: RecognitionLevel.allCases)
    func littleMemoryChangesNothingOfWhatIsRead(level: RecognitionLevel) throws {
        let signs = try Signs()
        let engine = try OpenVINOTextEngine(models: Models.folder, levels: [level], memory: 256 << 20)
        let reader = engine.makeReader()
        try engine.prepare(width: 640, height: 640)
        for orientation in [Orientation.up, .left] {
            let lines = try signs.read(by: reader, ReadingOptions(level: level), sentAs: orientation, saying: .up)
            #expect(lines.map(\.text) == signs.lines.map(\.text))
        }
    }

    @Test func theReaderOfOneWorkerRunsOnTheCallersThreadAlone() async {
        // In its own process, where no other test runs.
        await #expect(processExitsWith: .success) {
            let signs = try Signs()
            let reader = try OpenVINOTextEngine(models: Models.folder, levels: [.fast], memory: 1 << 30).makeReader()
            _ = try signs.read(by: reader)
            let threads = try Threads.running()
            let (own, all) = (cpuTime(CLOCK_THREAD_CPUTIME_ID), cpuTime(CLOCK_PROCESS_CPUTIME_ID))
            for _ in 0..<5 { _ = try signs.read(by: reader) }
            let ownShare = (cpuTime(CLOCK_THREAD_CPUTIME_ID) - own) / (cpuTime(CLOCK_PROCESS_CPUTIME_ID) - all)
            #expect(ownShare > 0.95)
            #expect(try Threads.running().count <= threads.count)
        }
    }

    @Test func aNetworkRunsOnOneThreadAtATime() async {
        await #expect(processExitsWith: .success) {
            let file = ModelSize.tiny.detector(in: Models.folder)
            let compiler = try ModelCompiler(file, strategy: .eachShape, runtime: OpenVINORuntime())
            let pool = NetworkPool(capacity: 1 << 30)
            let model = OpenVINOModel<Float>(ModelNetworks(model: compiler, pool: pool))
            let shape = InputShape(height: 736, width: 1280)
            func run() throws {
                _ = try model.infer(shape, count: 1) { _, _ in
                } read: { _, _ in
                }
            }
            // Not the compiled network, but an imported one.
            _ = try model.infer(InputShape(height: 64, width: 96), count: 1) { _, _ in
            } read: { _, _ in
            }
            try run()
            let shares = try (0..<20).map { _ in try Threads.shareOfTheBusiest(in: run) }
            // Half of them, since a thread that joins one run joins all, if only a little on a busy machine.
            #expect(shares.sorted()[shares.count / 2] > 0.985)
        }
    }

    @Test func theRuntimeStartsAThreadForEachFurtherProcessorAtMost() async {
        await #expect(processExitsWith: .success) {
            let threads = try Threads.running().count
            let reader = try OpenVINOTextEngine(models: Models.folder, levels: [.fast], memory: 1 << 30).makeReader()
            for width in stride(from: 320, to: 480, by: 32) {
                _ = try PixelBuffer(width: width, height: 320, format: .gray).withPixels { view in
                    try reader.read(view, orientation: .up, options: ReadingOptions())
                }
            }
            #expect(try Threads.running().count < threads + ProcessInfo.processInfo.activeProcessorCount)
        }
    }
}

/// The threads of this process.
private enum Threads {
    /// Running time of each thread.
    static func running() throws -> [String: Duration] {
        var times: [String: Duration] = [:]
        for id in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            // A thread may end between the two.
            let statistics = try? String(contentsOfFile: "/proc/self/task/\(id)/schedstat", encoding: .utf8)
            guard let time = statistics?.split(separator: " ").first.flatMap({ Int64($0) }) else { continue }
            times[id] = .nanoseconds(time)
        }
        return times
    }

    /// Largest share of one thread in the work that `body` distributes.
    static func shareOfTheBusiest(in body: () throws -> Void) throws -> Double {
        let before = try Self.running()
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        let caller = link.split(separator: "/").last.map(String.init)
        let start = cpuTime(CLOCK_THREAD_CPUTIME_ID)
        try body()
        // The others are waiting by now; this one is about to check them.
        let own = cpuTime(CLOCK_THREAD_CPUTIME_ID) - start
        let times = try Self.running().map { id, time in id == caller ? own : time - (before[id] ?? .zero) }
        return (times.max() ?? .zero) / times.reduce(.zero, +)
    }
}

/// Time of a clock that counts the running time of the thread or the process.
private func cpuTime(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
