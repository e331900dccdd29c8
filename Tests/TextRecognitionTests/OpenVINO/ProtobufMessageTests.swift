import Foundation
import Testing

@testable import TextRecognitionOpenVINO

@Suite struct ProtobufMessageTests {
    private static let message = ProtobufMessage([
        .number(1, 8), .text(2, "maker"), .message(7, [.number(3, 300), .text(1, "漢")]),
        ProtobufMessage.Field(number: 20, value: .fixed(Data([1, 2, 3, 4, 5, 6, 7, 8]))),
        ProtobufMessage.Field(number: 21, value: .fixed(Data([1, 2, 3, 4]))), .text(2, ""),
        ProtobufMessage.Field(number: 536_870_911, value: .varint(.max)),
    ])

    @Test func whatIsWrittenIsReadAgain() {
        #expect(ProtobufMessage(Self.message.serialized) == Self.message)
        #expect(ProtobufMessage(Data()) == ProtobufMessage())
    }

    @Test func fieldsAreWrittenAsTheEncodingSays() {
        // The example of the encoding's documentation: field 1, a varint of 150.
        #expect(ProtobufMessage([.number(1, 150)]).serialized == Data([0x08, 0x96, 0x01]))
        #expect(ProtobufMessage([.text(2, "testing")]).serialized == Data([0x12, 0x07]) + Data("testing".utf8))
    }

    @Test func fieldsAreFoundByTheirNumber() {
        #expect(Self.message.text(2) == "maker")
        #expect(Self.message.bytes(2).count == 2)
        #expect(Self.message.numbers(1) == [8])
        #expect(Self.message.text(9).isEmpty)
        #expect(Self.message.bytes(7).first.flatMap { ProtobufMessage($0) }?.text(1) == "漢")
    }

    @Test func aMessageThatIsCutOffInAFieldIsNone() {
        let whole = Self.message.serialized
        var ends = Set([0])
        for field in Self.message.fields {
            ends.insert((ends.max() ?? 0) + ProtobufMessage([field]).serialized.count)
        }
        for count in 0..<whole.count {
            #expect((ProtobufMessage(whole.prefix(count)) == nil) == !ends.contains(count), "of \(count) bytes")
        }
    }

    @Test(
        arguments: [[0x0B], [0x0C, 1], [0x0F], [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1]]
            as [[UInt8]]
    )
    func unknownKindsOfFieldsAndLengthsBeyondTheEndAreNone(bytes: [UInt8]) {
        #expect(ProtobufMessage(Data(bytes)) == nil)
    }
}
