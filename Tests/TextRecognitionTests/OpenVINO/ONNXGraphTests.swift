import Foundation
import Testing

@testable import TextRecognitionOpenVINO

@Suite struct ONNXGraphTests {
    // The first is too long. The others' lengths multiply to what there is: nothing, of negative ones, beyond what a number holds.
    @Test(
        arguments: [([3, 2], [1, 2]), ([0], []), ([-1, -2], [1, 2]), ([1 << 62 + 1, 2], [1, 2])] as [([Int], [Float])]
    )
    func aShapeThatItsNumbersDoNotFillIsNone(shape: [Int], values: [Float]) throws {
        let fields = [ONNXFile.node("Relu", ["x"], "y"), ONNXFile.floats("w", shape, values)]
        let graph = try #require(ONNXGraph(ONNXFile.file(fields, output: "y")))
        #expect(graph.constant("w", of: Float.self) == nil)
    }

    @Test(arguments: [1, 5]) func aNodeOrAConstantThatIsDamagedIsSeen(field: Int) {
        let damaged = ONNXFile.Field(number: field, value: .bytes(Data([0xFF])))
        #expect(ONNXGraph(ONNXFile.file([ONNXFile.node("Relu", ["x"], "y"), damaged], output: "y")) == nil)
    }
}
