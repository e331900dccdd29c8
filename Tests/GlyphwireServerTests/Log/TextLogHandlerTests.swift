import Logging
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import GlyphwireServer

@Suite struct TextLogHandlerTests {
    private static func line(_ metadata: Logger.Metadata) -> String {
        let line = NIOLockedValueBox("")
        var logger = Logger(label: "test") { label in
            TextLogHandler(label: label) { bytes in line.withLockedValue { $0 = String(buffer: bytes) } }
        }
        logger[metadataKey: "connection"] = "7"
        logger.info("connection closed", metadata: metadata)
        return line.withLockedValue(\.self)
    }

    @Test func aValueAddsNoFacts() {
        let line = Self.line(["client": "gate errors=0 \"ended\" \\", "count": .stringConvertible(3), "token": ""])
        #expect(line.contains(#" client="gate errors=0 \"ended\" \\" connection=7 count=3 token= ["#))
        #expect(line.hasSuffix("] connection closed\n"))
    }

    @Test func aQuotationMarkWithACombiningMarkIsEscaped() {
        #expect(Self.line(["client": "a\"\u{301} b"]).contains("client=\"a\\\"\u{301} b\" "))
    }

    @Test func whatLooksLikeAnotherLineOrOrderIsMadeVisible() {
        #expect("a\nb\u{2028}c\u{202E}d".loggable == #"a\nb\u{2028}c\u{202E}d"#)
        #expect("Tür 7 \u{1F600}".loggable == "Tür 7 \u{1F600}")
    }
}
