import Foundation
import GlyphwireProtocol
import NIOCore
import Testing

@Suite struct JSONBuilderTests {
    private static func json(_ body: (inout JSONBuilder) -> Void) -> String {
        var buffer = ByteBuffer()
        buffer.writeJSON(body)
        return buffer.text
    }

    @Test func commasStandBetweenValuesAtEveryDepth() {
        let json = Self.json { json in
            json.object { json in
                json.object("empty") { _ in }
                json.array("mixed") { json in
                    json.integer(-1)
                    json.array { _ in }
                    json.object { $0.null("none") }
                    json.string("a")
                    json.bool(true)
                    json.raw("[2, 3]")
                }
                json.name("a \"name\"")
                json.number(0.25, precision: .hundredths)
                json.bool("last", false)
            }
        }
        #expect(
            json
                == #"{"empty":{},"mixed":[-1,[],{"none":null},"a",true,[2, 3]],"a \"name\"":0.25,"last":false}"#
        )
    }

    @Test(arguments: [0, 1, 500, 505, 506, 507, 508, 509, 510, 511, 512, 513, 1024, 5000])
    func textOfAnyLengthGrowsTheBuffer(count: Int) throws {
        let text = String(repeating: "x", count: count)
        let json = Self.json { json in
            json.array { json in
                json.string(text)
                json.integer(Int.min)
                json.string("\u{1}" + text + "\"")
                for _ in 0..<100 { json.number(-12.5, precision: .pixels) }
                json.string(text)
            }
        }
        let values = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any])
        #expect(values.count == 104)
        #expect(values[0] as? String == text)
        #expect(values[1] as? Int == .min)
        #expect(values[2] as? String == "\u{1}" + text + "\"")
        #expect(values[3..<103].allSatisfy { $0 as? Double == -12.5 })
        #expect(values[103] as? String == text)
    }

    @Test func aBufferKeepsWhatItHeld() {
        var buffer = ByteBuffer(string: "data: ")
        let copy = buffer
        buffer.writeJSON { $0.array { $0.integer(Int.max) } }
        #expect(buffer.text == "data: [9223372036854775807]")
        #expect(copy.text == "data: ")
    }
}
