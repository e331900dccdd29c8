import Testing
import TextRecognition

@testable import TextRecognitionOpenVINO

@Suite struct NetworkTests {
    /// A network for four pictures that adds to each number the maximum of all four.
    private static func network(_ shape: InputShape) throws -> Network {
        let folder = try TemporaryFolder()
        let nodes = [ONNXFile.node("ReduceMax", ["x"], "most"), ONNXFile.node("Add", ["x", "most"], "y")]
        let file = ModelFile(
            path: try folder.write(ONNXFile.model(nodes), to: "model.onnx"),
            sha256: nil,
            normalization: Normalization(mean: [0, 0, 0], deviation: [1, 1, 1]),
            memory: NetworkMemory(fixed: 1, eachPixel: 0),
            outputPrecision: .float32
        )
        let model = try ModelCompiler(file, strategy: .eachShape, runtime: OpenVINORuntime(precision: .float32))
        return try model.network(for: NetworkInput(batchSize: 4, height: shape.height, width: shape.width), bytes: 1)
    }

    @Test func whatCameInEarlierHasNoSayWhereAPlaceStaysEmpty() throws {
        let shape = InputShape(height: 4, width: 8)
        let network = try Self.network(shape)
        func answer(_ value: UInt8, count: Int) throws -> [Float] {
            var answers: [Float] = []
            try network.infer(shape, 0..<count, on: 4, into: &answers) { _, input in
                input.update(repeating: value)
            } read: { (_, output: ModelOutput<Float>) in
                output.values[0]
            }
            return answers
        }
        #expect(try answer(200, count: 4) == [400, 400, 400, 400])
        #expect(try answer(10, count: 3) == [Float](repeating: 10 + Float(InputShape.paddingValue), count: 3))
    }
}
