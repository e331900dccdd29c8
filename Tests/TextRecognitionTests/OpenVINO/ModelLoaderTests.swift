import Testing
import TextRecognition

@testable import TextRecognitionOpenVINO

@Suite struct ModelLoaderTests {
    private static func loader(isSparing: Bool) throws -> ModelLoader {
        ModelLoader(
            folder: Models.folder,
            runtime: try OpenVINORuntime(),
            pool: NetworkPool(capacity: 1 << 30),
            isSparing: isSparing
        )
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func linesOfAllWidthsShareOneNetworkWhereMemoryIsShort(size: ModelSize) throws {
        let recognizer = try Self.loader(isSparing: true).recognizer(size).networks.model
        let inputs = recognizer.compilation.lineInputs
        #expect(inputs.count == 1)
        let usual = size.lineCompilation.lineInputs.map(recognizer.file.memory.bytes).reduce(0, +)
        #expect(inputs.map(recognizer.file.memory.bytes).reduce(0, +) < usual)
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func detectorsKnowTheShapeOfTheirInputHoweverLittleMemoryThereIs(size: ModelSize) throws {
        let detector = try Self.loader(isSparing: true).detector(size).model
        let input = detector.compilation.input(for: InputShape(height: 576, width: 1024))
        #expect(input == NetworkInput(pictures: 1, height: 576, width: 1024))
    }

    @Test func aNetworkIsCountedWithWhatItRemembers() {
        let memory = NetworkMemory(fixed: 10, eachPixel: 2, open: 40)
        #expect(memory.bytes(for: NetworkInput(pictures: 3, height: 4, width: 5)) == 130)
        #expect(memory.bytes(for: NetworkInput(pictures: 1, height: 4, width: NetworkInput.open)) == 40)
        #expect(memory.bytes(for: NetworkInput(pictures: NetworkInput.open, height: 4, width: NetworkInput.open)) == 60)
    }
}
