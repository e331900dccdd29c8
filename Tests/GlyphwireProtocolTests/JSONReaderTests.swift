import NIOCore
import Testing

@testable import GlyphwireProtocol

@Suite struct JSONReaderTests {
    private static func read<Value>(
        _ json: String,
        _ body: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        var reader = JSONReader(ByteBuffer(string: json))
        let value = try body(&reader)
        try reader.end()
        return value
    }

    @Test(arguments: [
        (#""""#, ""), (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83d\ude00""#, "😀"), (#""😀 e\u0301""#, "😀 e\u{301}"),
        (#""\u0000""#, "\0"),
    ])
    func stringsAreUnescaped(json: String, text: String) throws {
        #expect(try Self.read(json) { reader throws(JSONError) in try reader.string() } == text)
    }

    @Test(arguments: [
        #"""#, #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d \ude00""#,
        #""\ude00""#, #""\ud83d\ud83d""#, "\"\n\"", "\"\u{1}\"", "x",
    ])
    func brokenStringsAreRefused(json: String) {
        #expect(throws: JSONError.self) { try Self.read(json) { reader throws(JSONError) in try reader.string() } }
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("1", 1), ("-1.5", -1.5), ("12.375", 12.375), ("1e3", 1000), ("1E-2", 0.01),
        ("0.1", 0.1), ("123456789012345678901234567890", 1.2345678901234568e29),
        ("1.7976931348623157e308", .greatestFiniteMagnitude),
        ("0.000000000000000000000000001", 1e-27), ("9007199254740993", 9_007_199_254_740_992),
    ])
    func numbersAreTheNearestDouble(json: String, value: Double) throws {
        #expect(try Self.read(json) { reader throws(JSONError) in try reader.number() } == value)
    }

    @Test(arguments: ["", "-", "01", "1.", ".5", "1e", "1e+", "0x1", "1_000", "NaN", "Infinity", "1e999", "- 1"])
    func whatIsNoNumberIsRefused(json: String) {
        #expect(throws: JSONError.self) { try Self.read(json) { reader throws(JSONError) in try reader.number() } }
    }

    @Test func sequencesKeepAllSixtyFourBits() throws {
        for value: UInt64 in [0, 1, 1 << 53 + 1, .max] {
            #expect(try Self.read("\(value)") { reader throws(JSONError) in try reader.unsignedInteger() } == value)
        }
        for json in ["-1", "1.0", "1e2", "18446744073709551616"] {
            #expect(throws: JSONError.self) {
                try Self.read(json) { reader throws(JSONError) in try reader.unsignedInteger() }
            }
        }
    }

    @Test(arguments: [
        "{}", "[]", "[1,2,[3,{\"a\":null}],true,false]", " { \"a\" : [ ] , \"b\" : { } } ", "\"x\"", "-1.5e3", "null",
    ])
    func anyValueCanBePassedOver(json: String) throws {
        try Self.read(json) { reader throws(JSONError) in try reader.skipValue() }
    }

    @Test(arguments: [
        "{,}", "[1,]", "[1 2]", "{\"a\":1 \"b\":2}", "{1:2}", "[", "{\"a\"", "{\"a\":", "nul", "[1}", "1 2",
    ])
    func aBrokenValueIsNotPassedOver(json: String) {
        #expect(throws: JSONError.self) { try Self.read(json) { reader throws(JSONError) in try reader.skipValue() } }
    }

    @Test func depthIsBounded() throws {
        let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        try Self.read(deep) { reader throws(JSONError) in try reader.skipValue() }
        #expect(throws: JSONError.self) {
            try Self.read("[" + deep + "]") { reader throws(JSONError) in try reader.skipValue() }
        }
        #expect(throws: JSONError.self) {
            try Self.read(String(repeating: "[", count: 1_000_000)) { reader throws(JSONError) in
                try reader.skipValue()
            }
        }
    }

    @Test func anErrorHasItsOffset() {
        #expect(throws: JSONError(message: "expected a comma or the end", offset: 7)) {
            try Self.read(#"{"a":1 "b":2}"#) { reader throws(JSONError) in try reader.skipValue() }
        }
    }
}
