import Foundation
import Testing
import TextEngine

@testable import TextEngineOpenVINO

@Suite struct ExportedNetworkTests {
    private static let small = InputShape(height: 64, width: 96)
    /// More digits than the first, and fewer rows.
    private static let wide = InputShape(height: 32, width: 1056)

    private static func input(_ shape: InputShape) -> NetworkInput { Compilation.eachShape.input(for: shape) }

    private static func detector(_ size: ModelSize, inBytes: Bool) throws -> LoadedModel {
        var file = size.detector(in: Models.folder)
        file.activationRanges = inBytes ? size.detectorRanges : [:]
        let contents = try file.contents()
        return try LoadedModel(file, contents: contents, compilation: .eachShape, runtime: OpenVINORuntime())
    }

    private static func recognizer(_ compilation: Compilation) throws -> LoadedModel {
        let file = ModelSize.tiny.recognizer(in: Models.folder)
        let contents = try file.contents()
        return try LoadedModel(file, contents: contents, compilation: compilation, runtime: OpenVINORuntime())
    }

    /// What a network answers to pictures of stripes.
    private static func answer<Number>(
        of network: Network,
        to shape: InputShape,
        count: Int = 1
    ) throws -> [[Number]] {
        var answers: [[Number]] = []
        try network.infer(shape, 0..<count, on: count, into: &answers) { picture, input in
            for index in input.indices { input[index] = UInt8((index + picture) * 37 / 5 % 256) }
        } read: { _, output in
            Array(output.values)
        }
        return answers
    }

    @Test(arguments: [ModelSize.tiny, .small], [true, false])
    func aDetectorThatIsReadForAnotherShapeAnswersAsOneThatIsCompiled(size: ModelSize, inBytes: Bool) throws {
        let first = try Self.detector(size, inBytes: inBytes)
        let start = try first.network(for: Self.input(Self.small), bytes: 1)
        let read = try first.network(for: Self.input(Self.wide), bytes: 1)
        let compiled = try Self.detector(size, inBytes: inBytes).network(for: Self.input(Self.wide), bytes: 1)
        try #require(start.weights == nil && read.weights != nil && compiled.weights == nil)
        let expected: [[Float]] = try Self.answer(of: compiled, to: Self.wide)
        #expect(try Self.answer(of: read, to: Self.wide) == expected)
    }

    @Test(arguments: [(96, 4), (576, 1)])
    func aRecognizerThatIsReadForAWidthAnswersAsOneThatIsCompiled(width: Int, count: Int) throws {
        let shape = InputShape(height: LineRecognizer.height, width: width)
        let input = ModelSize.tiny.lineCompilation.input(for: shape, count: count)
        let read = try Self.recognizer(ModelSize.tiny.lineCompilation).network(for: input, bytes: 1)
        let compiled = try Self.recognizer(.eachShape).network(for: input, bytes: 1)
        try #require(read.weights != nil && compiled.weights == nil)
        let expected: [[BFloat16]] = try Self.answer(of: compiled, to: shape, count: count)
        #expect(try Self.answer(of: read, to: shape, count: count) == expected)
    }

    @Test func networksThatAreReadOutliveTheirModelAndOneAnother() throws {
        var model: LoadedModel? = try Self.detector(.tiny, inBytes: false)
        let start = try #require(try model?.network(for: Self.input(Self.small), bytes: 1))
        let expected: [[Float]] = try Self.answer(of: start, to: Self.small)
        let read = try #require(try model?.network(for: Self.input(Self.small), bytes: 1))
        _ = try model?.network(for: Self.input(Self.wide), bytes: 1)
        model = nil
        #expect(read.weights != nil)
        #expect(try Self.answer(of: read, to: Self.small) == expected)
    }

    @Test func whatLooksOtherwiseIsNotTaken() {
        #expect(ExportedNetwork(Data(), for: Self.input(Self.small)) == nil)
        #expect(ExportedNetwork(Data("<?xml version=\"1.0\"?>".utf8), for: Self.input(Self.small)) == nil)
    }
}
