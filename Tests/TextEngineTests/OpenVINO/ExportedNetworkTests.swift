import Foundation
import Testing
import TextEngine

@testable import TextEngineOpenVINO

@Suite struct ExportedNetworkTests {
    private static let small = InputShape(height: 64, width: 96)
    /// More digits than the first, and fewer rows.
    private static let wide = InputShape(height: 32, width: 1056)

    private static func input(_ shape: InputShape) -> NetworkInput { Compilation.eachShape.input(for: shape) }

    private static func model(_ size: ModelSize, inBytes: Bool) throws -> LoadedModel {
        var file = size.detector(in: Models.folder)
        file.activationRanges = inBytes ? size.detectorRanges : [:]
        return try LoadedModel(file, contents: try file.contents(), runtime: OpenVINORuntime())
    }

    /// What a network answers to a picture of stripes.
    private static func answer(of network: Network, to shape: InputShape) throws -> [Float] {
        var answers: [[Float]] = []
        try network.infer(shape, 0..<1, on: 1, into: &answers) { _, input in
            for index in input.indices { input[index] = UInt8(index * 37 / 5 % 256) }
        } read: { _, output in
            Array(output.values)
        }
        return answers[0]
    }

    @Test(arguments: [ModelSize.tiny, .small], [true, false])
    func aNetworkThatIsReadBackForAnotherShapeAnswersAsOneThatIsCompiled(size: ModelSize, inBytes: Bool) throws {
        let first = try Self.model(size, inBytes: inBytes)
        let start = try first.network(for: Self.input(Self.small), bytes: 1)
        let read = try first.network(for: Self.input(Self.wide), bytes: 1)
        let compiled = try Self.model(size, inBytes: inBytes).network(for: Self.input(Self.wide), bytes: 1)
        try #require(start.weights == nil && read.weights != nil && compiled.weights == nil)
        #expect(try Self.answer(of: read, to: Self.wide) == Self.answer(of: compiled, to: Self.wide))
    }

    @Test func networksThatAreReadBackOutliveTheirModelAndOneAnother() throws {
        var model: LoadedModel? = try Self.model(.tiny, inBytes: false)
        let start = try #require(try model?.network(for: Self.input(Self.small), bytes: 1))
        let expected = try Self.answer(of: start, to: Self.small)
        let read = try #require(try model?.network(for: Self.input(Self.small), bytes: 1))
        _ = try model?.network(for: Self.input(Self.wide), bytes: 1)
        model = nil
        #expect(read.weights != nil)
        #expect(try Self.answer(of: read, to: Self.small) == expected)
    }

    @Test func openSidesAreCompiled() throws {
        let model = try Self.model(.tiny, inBytes: false)
        _ = try model.network(for: Self.input(Self.small), bytes: 1)
        let open = try model.network(for: Compilation.open.input(for: Self.small), bytes: 1)
        #expect(open.weights == nil)
    }

    @Test func whatLooksOtherwiseIsNotTaken() {
        #expect(ExportedNetwork(Data(), for: Self.input(Self.small)) == nil)
        #expect(ExportedNetwork(Data("<?xml version=\"1.0\"?>".utf8), for: Self.input(Self.small)) == nil)
    }
}
