import SeededRandom
import Testing
import TextModel

@testable import TextRecognition
@testable import TextRecognitionOpenVINO

@Suite struct ModelLoaderTests {
    /// Loader of both levels with some megabytes for networks.
    private static func loader(megabytes: Int) throws -> ModelLoader {
        ModelLoader(
            folder: Models.folder,
            runtime: try OpenVINORuntime(),
            pool: NetworkPool(capacity: megabytes << 20),
            cache: nil,
            levels: RecognitionLevel.allCases
        )
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func linesOfAllWidthsShareOneNetworkWhereMemoryIsShort(size: ModelSize) throws {
        let recognizer = try Self.loader(megabytes: 256).recognizer(size).networks.model
        let inputs = recognizer.strategy.lineInputs
        #expect(inputs.count == 1)
        let usual = size.lineStrategy.lineInputs.map(recognizer.file.memory.bytes).reduce(0, +)
        #expect(inputs.map(recognizer.file.memory.bytes).reduce(0, +) < usual)
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func detectorsKnowTheShapeOfTheirInputHoweverLittleMemoryThereIs(size: ModelSize) throws {
        let detector = try Self.loader(megabytes: 256).detector(size)
        #expect(detector.dynamicShape == nil)
        let input = detector.eachShape.model.strategy.input(for: InputShape(height: 576, width: 1024))
        #expect(input == NetworkInput(batchSize: 1, height: 576, width: 1024))
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func picturesOfAllShapesShareOneDetectorOtherwise(size: ModelSize) throws {
        let model = try #require(try Self.loader(megabytes: 768).detector(size).dynamicShape).model
        let inputs = [(64, 96), (608, 1024)].map { height, width in
            model.strategy.input(for: InputShape(height: height, width: width))
        }
        #expect(inputs == Array(repeating: NetworkInput(batchSize: 1, height: 0, width: 0), count: 2))
        let own = NetworkInput(batchSize: 1, height: 1, width: size.maxSharedPixels)
        #expect(model.file.memory.bytes(for: inputs[0]) < 4 * model.file.memory.bytes(for: own))
    }

    @Test func picturesShareADetectorOnlyIfTheNetworksForLinesFitBesideIt() throws {
        for (megabytes, widths, pictures) in [(440, false, false), (500, true, false), (600, true, true)] {
            let loader = try Self.loader(megabytes: megabytes)
            #expect((loader.lowMemory, loader.sharesDetectors) == (!widths, pictures), "\(megabytes) MB")
        }
    }

    @Test(arguments: ["platform", "bahnhof", "sortie", "salida", "uscita", "wyjscie", "kijarat", "keluar", "cikis"])
    func wordsAreThoseOfSeveralLanguages(word: String) throws {
        #expect(try Self.loader(megabytes: 256).words().contains(word))
    }

    /// 1 in 800, which is 12.5 of them.
    @Test func fewRandomStringsAreWords() throws {
        let words = try Self.loader(megabytes: 256).words()
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        var generator = SplitMix64(1)
        let strings = (0..<10_000).map { _ in
            String((0..<8).compactMap { _ in letters.randomElement(using: &generator) })
        }
        #expect(strings.count { words.contains($0) } < 25)
    }

    @Test func aNetworkIsCountedWithWhatItRemembers() {
        let memory = NetworkMemory(fixed: 10, eachPixel: 2, dynamic: 30)
        #expect(memory.bytes(for: NetworkInput(batchSize: 3, height: 4, width: 5)) == 130)
        #expect(memory.bytes(for: NetworkInput(batchSize: 1, height: 4, width: NetworkInput.dynamic)) == 30)
        #expect(
            memory.bytes(for: NetworkInput(batchSize: NetworkInput.dynamic, height: 4, width: NetworkInput.dynamic))
                == 40
        )
    }
}
