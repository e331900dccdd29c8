import GlyphwireProtocol
import Testing

@testable import TextEngine

/// A network that is a function of its input, and keeps count.
final class StubModel: InferenceModel {
    typealias Answer = (values: [Float], shape: [Int])

    private let answer: (InputShape, [UInt8]) throws(WireError) -> Answer
    /// The shapes it was run with, in order.
    private(set) var shapes: [InputShape] = []

    init(_ answer: @escaping (InputShape, [UInt8]) throws(WireError) -> Answer) { self.answer = answer }

    func infer<Value>(
        _ shape: InputShape,
        fill: (UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (ModelOutput) -> Value
    ) throws(WireError) -> Value {
        self.shapes.append(shape)
        // Real networks keep their input between runs: what a caller forgets to fill is not what it was the other time.
        var input = [UInt8](repeating: 0xFF, count: shape.byteCount)
        input.withUnsafeMutableBufferPointer { fill($0) }
        var other = [UInt8](repeating: 0, count: shape.byteCount)
        other.withUnsafeMutableBufferPointer { fill($0) }
        #expect(input == other, "every byte of an input is filled")
        let output = try self.answer(shape, input)
        return output.values.withUnsafeBufferPointer { read(ModelOutput(values: $0, shape: output.shape)) }
    }
}

extension StubModel {
    /// A detector whose map is `probability` of column and row.
    static func detector(_ probability: @escaping (_ x: Int, _ y: Int) -> Float) -> StubModel {
        StubModel { shape, _ in
            let map = (0..<shape.pixelCount).map { probability($0 % shape.width, $0 / shape.width) }
            return (map, [1, 1, shape.height, shape.width])
        }
    }

    /// A recogniser that says the classes in `steps` with their probability, blank for the rest of its steps of 8 columns.
    static func recognizer(classCount: Int, steps: [Int: (label: Int, probability: Float)]) -> StubModel {
        StubModel { shape, _ in
            let stepCount = shape.width / 8
            var values: [Float] = []
            for step in 0..<stepCount {
                let (label, probability) = steps[step] ?? (Alphabet.blank, 1)
                var row = [Float](repeating: (1 - probability) / Float(classCount - 1), count: classCount)
                row[label] = probability
                values += row
            }
            return (values, [1, stepCount, classCount])
        }
    }
}
