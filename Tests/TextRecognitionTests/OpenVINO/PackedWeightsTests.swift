import Foundation
import Testing

@testable import TextRecognitionOpenVINO

@Suite struct PackedWeightsTests {
    private static let packed: [Int8] = [-128, -1, 0, 1, 2, 127, 5, 6]

    /// A file with plain weights; `nil` where it is damaged.
    private static func unpacked(_ file: Data) -> Data? {
        guard var graph = ONNXGraph(file) else { return nil }
        PackedWeights.unpack(&graph)
        return graph.serialized
    }

    private static func file(_ shape: [Int], scale: [Float], scaleShape: [Int]) -> Data {
        ONNXFile.file(
            [
                ONNXFile.node("Cast", ["stored"], "cast"), ONNXFile.node("Mul", ["cast", "scale"], "weights"),
                ONNXFile.node("Mul", ["x", "scale"], "y"), ONNXFile.node("Conv", ["y", "weights"], "z"),
                ONNXFile.bytes("stored", shape, Self.packed), ONNXFile.floats("scale", scaleShape, scale),
            ],
            output: "z"
        )
    }

    @Test(
        arguments: [
            ([4, 2, 1, 1], [4, 1, 1, 1], [1, 10, 100, 1000], [-128, -1, 0, 10, 200, 12700, 5000, 6000]),
            ([2, 4], [1, 4], [1, 10, 100, 1000], [-128, -10, 0, 1000, 2, 1270, 500, 6000]),
            ([2, 4], [2, 1], [1, 0.5], [-128, -1, 0, 1, 1, 63.5, 2.5, 3]),
            ([2, 4], [1, 1], [2], [-256, -2, 0, 2, 4, 254, 10, 12]),
        ] as [([Int], [Int], [Float], [Float])]
    )
    func bytesAreMultipliedAlongTheAxisOfTheirScale(shape: [Int], scaleShape: [Int], scale: [Float], expected: [Float])
        throws
    {
        let unpacked = try #require(Self.unpacked(Self.file(shape, scale: scale, scaleShape: scaleShape)))
        let graph = try #require(ONNXGraph(unpacked))
        #expect(graph.constant("weights", of: Float.self)?.values == expected)
        #expect(graph.constant("weights", of: Float.self)?.shape == shape)
        // The product of what is no constant stays.
        #expect(graph.nodes.map(\.outputs) == [["cast"], ["y"], ["z"]])
    }

    @Test(arguments: [[1, 3], [2, 2]]) func aScaleOfAnotherShapeIsLeftToTheRuntime(scaleShape: [Int]) throws {
        let scale = (1...scaleShape.reduce(1, *)).map { Float($0) }
        let file = Self.file([2, 4], scale: scale, scaleShape: scaleShape)
        let graph = try #require(Self.unpacked(file).flatMap { ONNXGraph($0) })
        #expect(graph.constant("weights", of: Float.self) == nil)
        #expect(graph.nodes.count == 4)
    }

    @Test func aFileThatIsCutOffIsNone() {
        let file = Self.file([2, 4], scale: [1], scaleShape: [1, 1])
        #expect(Self.unpacked(file.dropLast()) == nil)
    }
}
