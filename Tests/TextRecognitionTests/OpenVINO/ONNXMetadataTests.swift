import Foundation
import Testing

@testable import TextRecognitionOpenVINO

@Suite struct ONNXMetadataTests {
    private static func pair(_ key: String, _ value: String) -> [UInt8] {
        Protobuf.bytes(14, Protobuf.bytes(1, Array(key.utf8)) + Protobuf.bytes(2, Array(value.utf8)))
    }

    /// A model's fields, one of every kind, some after the metadata.
    private static let fields: [[UInt8]] = [
        Protobuf.field(1, 0, Protobuf.varint(8)), Protobuf.bytes(2, Array("maker".utf8)),
        Protobuf.bytes(7, [8, 1, 0xFF, 0xFF, 0x80]),
        Self.pair("character", "a\nß\n漢"), Protobuf.field(20, 1, [1, 2, 3, 4, 5, 6, 7, 8]), Self.pair("", ""),
        Protobuf.field(21, 5, [1, 2, 3, 4]), Self.pair("note", String(repeating: "x", count: 300)),
        Protobuf.field(22, 0, Protobuf.varint(.max)),
    ]

    private static func read(_ bytes: [UInt8]) throws -> [String: String] {
        try ONNXMetadata(Data(bytes), of: Self.model).values
    }

    private static let model = ModelFile(
        path: "/nowhere/model.onnx",
        kind: .recognizer,
        normalization: Normalization(mean: [0, 0, 0], deviation: [1, 1, 1]),
        memory: NetworkMemory(fixed: 0, eachPixel: 0)
    )

    @Test func pairsAreFoundAmongOtherFields() throws {
        let values = try Self.read(Self.fields.flatMap { $0 })
        #expect(values == ["character": "a\nß\n漢", "": "", "note": String(repeating: "x", count: 300)])
    }

    @Test func aModelWithoutPairsHasNone() throws {
        #expect(try Self.read([]).isEmpty)
        #expect(try Self.read(Protobuf.bytes(7, [1, 2, 3])).isEmpty)
    }

    @Test func aFileThatIsCutOffAnywhereInAFieldIsDamaged() throws {
        let whole = Self.fields.flatMap { $0 }
        var ends = Set([0])
        for field in Self.fields { ends.insert((ends.max() ?? 0) + field.count) }
        for count in 0..<whole.count {
            if ends.contains(count) {
                #expect(throws: Never.self) { try Self.read(Array(whole[..<count])) }
            } else {
                let error = #expect(throws: OpenVINOError.self) { try Self.read(Array(whole[..<count])) }
                #expect(error?.description.contains("damaged") == true)
            }
        }
    }

    @Test(arguments: [4, 5, 127, 128, 1 << 20, 1 << 31, 1 << 32, 1 << 62, 1 << 63, .max] as [UInt64])
    func aLengthPastTheEndIsDamage(length: UInt64) {
        let lie = Protobuf.field(14, 2, Protobuf.varint(length) + [1, 2, 3])
        #expect(throws: OpenVINOError.self) { try Self.read(lie) }
        // Within a pair, too.
        #expect(throws: OpenVINOError.self) {
            try Self.read(Protobuf.bytes(14, Protobuf.field(1, 2, Protobuf.varint(length) + [1, 2, 3])))
        }
    }

    @Test(
        arguments: [
            // A number without end, one of ten bytes and more, and wire types that are gone or never were.
            [0x80], [0x08, 0x80], [UInt8](repeating: 0xFF, count: 30), [0x0B], [0x0C], [0x0E], [0x0F, 0, 0],
            [0x09, 1, 2, 3], [0x0D, 1],
        ] as [[UInt8]]
    )
    func whatIsNoMessageIsDamage(bytes: [UInt8]) {
        #expect(throws: OpenVINOError.self) { try Self.read(bytes) }
    }

    @Test func anyBytesAreReadOrRefused() {
        var random = SeededRandom(50)
        let whole = Self.fields.flatMap { $0 }
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try? Self.read(bytes)
        }
    }

    @Test func aMissingFileIsNamedWithWhatToDo() {
        let error = #expect(throws: OpenVINOError.self) { try Self.model.contents() }
        #expect(error?.description.contains("/nowhere/model.onnx") == true)
        #expect(error?.description.contains("make setup") == true)
    }
}
