import Foundation
import GlyphwireProtocol
import NIOConcurrencyHelpers
import Testing

@testable import TextRecognition

/// Network that is a function of its input, and counts its runs.
// Safe if one thread at a time runs it, or several with a stateless function: counts have a lock.
final class StubModel<Number: StubNumber>: InferenceModel, @unchecked Sendable {
    typealias Answer = (values: [Float], shape: [Int])

    let answer: (InputShape, [UInt8]) throws(RecognitionError) -> Answer
    /// Second output; `nil` for none.
    private let auxiliary: ((InputShape, [UInt8]) -> [Float])?
    private let runs = NIOLockedValueBox<[(shape: InputShape, count: Int)]>([])
    /// Shapes of its runs, in order, each for its number of pictures.
    var shapes: [InputShape] { self.runs.withLockedValue { $0.map(\.shape) } }
    var counts: [Int] { self.runs.withLockedValue { $0.map(\.count) } }

    /// - Parameters:
    ///   - answer: The output for a picture: a detector's map, or a recognizer's probabilities.
    ///   - auxiliary: The second output; `nil` for none.
    init(
        _ answer: @escaping (InputShape, [UInt8]) throws(RecognitionError) -> Answer,
        auxiliary: ((InputShape, [UInt8]) -> [Float])? = nil
    ) {
        self.answer = answer
        self.auxiliary = auxiliary
    }

    func infer<Value>(
        _ shape: InputShape,
        count: Int,
        fill: (_ index: Int, UnsafeMutableBufferPointer<UInt8>) -> Void,
        read: (_ index: Int, ModelOutput<Number>) -> Value
    ) throws(RecognitionError) -> [Value] {
        self.runs.withLockedValue { $0.append((shape, count)) }
        var values: [Value] = []
        for picture in 0..<count {
            // Real networks keep their input between runs: what a caller forgets to fill has the value of the last
            // time.
            var input = [UInt8](repeating: 0xFF, count: shape.byteCount)
            input.withUnsafeMutableBufferPointer { fill(picture, $0) }
            var other = [UInt8](repeating: 0, count: shape.byteCount)
            other.withUnsafeMutableBufferPointer { fill(picture, $0) }
            #expect(input == other, "every byte of an input is filled")
            let output = try self.answer(shape, input)
            let auxiliary = (self.auxiliary?(shape, input) ?? []).map { Number(stub: exp($0)) }
            // A cast of an array to its own type costs nothing, unlike a map of millions of values in a debug build.
            let numbers = output.values as? [Number] ?? output.values.map(Number.init(stub:))
            numbers.withUnsafeBufferPointer { first in
                auxiliary.withUnsafeBufferPointer { second in
                    let output = ModelOutput(values: first, shape: output.shape, auxiliary: second)
                    values.append(read(picture, output))
                }
            }
        }
        return values
    }
}

/// Output number of a stub.
protocol StubNumber {
    init(stub number: Float)
}

extension Float: StubNumber {
    init(stub number: Float) { self = number }
}

extension BFloat16: StubNumber {
    /// A number whose exponential is a probability, as near as it comes.
    init(stub probability: Float) {
        let bits = log(probability).bitPattern
        self.init(bitPattern: UInt16(truncatingIfNeeded: (bits + 0x7FFF + (bits >> 16 & 1)) >> 16))
    }
}

extension StubModel<Float> {
    /// A detector whose map is `probability` of column and row.
    static func detector(_ probability: @escaping (_ x: Int, _ y: Int) -> Float) -> StubModel<Float> {
        StubModel<Float> { shape, _ in
            let map = (0..<shape.pixelCount).map { probability($0 % shape.width, $0 / shape.width) }
            return (map, [1, shape.height, shape.width])
        }
    }
}

extension StubModel<BFloat16> {
    /// A recognizer that emits the classes in `steps` with their probability, and the blank for the rest of its steps.
    ///
    /// A step is 8 columns wide.
    static func recognizer(
        classCount: Int,
        steps: [Int: (label: Int, probability: Float)]
    ) -> StubModel<BFloat16> {
        StubModel<BFloat16> { shape, _ in
            let stepCount = shape.width / 8
            var values: [Float] = []
            for step in 0..<stepCount {
                let (label, probability) = steps[step] ?? (Alphabet.blank, 1)
                var row = [Float](repeating: (1 - probability) / Float(classCount - 1), count: classCount)
                row[label] = probability
                values += row
            }
            return (values, [stepCount, classCount])
        }
    }
}

extension Logits {
    /// Passes the scores of rows of probabilities.
    static func with<Value>(
        _ probabilities: [Float],
        classCount: Int,
        _ body: (Logits) -> Value
    ) -> Value {
        // One more than there are, so that there is an address even without any.
        (probabilities + [0]).map(BFloat16.init(stub:)).withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { preconditionFailure("an array that is not empty has a place") }
            return body(Logits(base, stepCount: probabilities.count / classCount, classCount: classCount))
        }
    }
}

extension Alphabet {
    /// An alphabet of a number of classes, the last of which is the space.
    static func counting(_ classCount: Int) -> Alphabet {
        Alphabet(list: (1..<max(2, classCount) - 1).map(String.init).joined(separator: "\n"))
    }
}
