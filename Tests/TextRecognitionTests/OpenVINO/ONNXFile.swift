import Foundation

@testable import TextRecognitionOpenVINO

/// Small ONNX files for tests.
enum ONNXFile {
    typealias Field = ProtobufMessage.Field

    static func node(_ operation: String, _ inputs: [String], _ output: String) -> Field {
        .message(1, inputs.map { .text(1, $0) } + [.text(2, output), .text(4, operation)])
    }

    static func floats(_ name: String, _ shape: [Int], _ values: [Float]) -> Field {
        self.tensor(name, shape, type: 1, values.withUnsafeBytes { Data($0) })
    }

    static func bytes(_ name: String, _ shape: [Int], _ values: [Int8]) -> Field {
        self.tensor(name, shape, type: 3, Data(values.map { UInt8(bitPattern: $0) }))
    }

    private static func tensor(_ name: String, _ shape: [Int], type: Int, _ values: Data) -> Field {
        .message(
            5,
            shape.map { .number(1, $0) }
                + [.number(2, type), .text(8, name), Field(number: 9, value: .bytes(values))]
        )
    }

    /// A file that can be run: `x`, pictures of three planes of any size, becomes `y`, which has as many planes as `channels`.
    static func model(_ fields: [Field], channels: Int) -> Data {
        func port(_ number: Int, _ name: String, channels: Int) -> Field {
            let lengths: [Field] = [.number(1, 1), .number(1, channels), .text(2, "h"), .text(2, "w")]
            let shape = Field.message(2, lengths.map { .message(1, [$0]) })
            return .message(number, [.text(1, name), .message(2, [.message(1, [.number(1, 1), shape])])])
        }
        let ports = [port(11, "x", channels: 3), port(12, "y", channels: channels)]
        return ProtobufMessage([
            .number(1, 8), .message(8, [.number(2, 13)]), .message(7, fields + [.text(2, "test")] + ports),
        ]).serialized
    }

    /// A file whose graph has `fields` and hands out `output`.
    static func file(_ fields: [Field], output: String) -> Data {
        ProtobufMessage([
            .number(1, 8), .message(7, fields + [.message(12, [.text(1, output)])]), .text(2, "maker"),
        ]).serialized
    }
}
