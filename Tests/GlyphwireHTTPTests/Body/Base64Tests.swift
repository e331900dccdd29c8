import Foundation
import Testing

@testable import GlyphwireHTTP

@Suite struct Base64Tests {
    @Test(arguments: 0...9) func whatOthersEncodeIsDecoded(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: 251 &* $0 &+ 250) }
        let text = Data(bytes).base64EncodedString()
        #expect(Base64.decode(Array(text.utf8)) == bytes)
        let bare = text.replacing("=", with: "")
        #expect(Base64.decode(Array(bare.utf8)) == bytes)
        let forAddresses = bare.replacing("+", with: "-").replacing("/", with: "_")
        #expect(Base64.decode(Array(forAddresses.utf8)) == bytes)
        for space in ["\r\n", " ", "\t"] {
            #expect(Base64.decode(Array((space + text.map { "\($0)\(space)" }.joined()).utf8)) == bytes)
        }
    }

    @Test(arguments: [
        "A", "AAAAA", "AA=", "AAA==", "AAAA=", "AAAA====", "AAA=====", "=", "AA==AA==", "A A A A A", "A?==", "AAAä",
    ])
    func whatIsNoBase64IsRefused(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }
}
