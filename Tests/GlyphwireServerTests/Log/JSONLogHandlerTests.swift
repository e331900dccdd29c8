import Foundation
import GlyphwireProtocol
import Logging
import NIOConcurrencyHelpers
import NIOCore
import SystemSupport
import Testing

@testable import GlyphwireServer

@Suite struct JSONLogHandlerTests {
    @Test func anEntryIsOneLineOfJSON() throws {
        let lines = NIOLockedValueBox<[String]>([])
        var logger = Logger(label: "test") { _ in
            JSONLogHandler { line in lines.withLockedValue { $0.append(String(buffer: line)) } }
        }
        logger[metadataKey: "connection"] = .stringConvertible(UInt64(7))
        logger.warning("wrong \"token\"", metadata: ["peer": "a\nb", "count": .stringConvertible(3)])
        logger.debug("below the level")
        let all = lines.withLockedValue(\.self)
        #expect(all.count == 1 && all[0].hasSuffix("}\n") && all[0].count { $0 == "\n" } == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(all[0].utf8)) as? [String: Any])
        #expect(object["level"] as? String == "warning" && object["message"] as? String == "wrong \"token\"")
        #expect(object["peer"] as? String == "a\nb" && object["count"] as? Int == 3)
        #expect(object["connection"] as? Int == 7)
        #expect((object["time"] as? String)?.hasSuffix("Z") == true)
    }

    @Test(arguments: [
        (UInt64(0), "1970-01-01T00:00:00.000Z"), (951_827_696_789_000, "2000-02-29T12:34:56.789Z"),
        (1_795_736_400_000_999, "2026-11-26T23:40:00.000Z"),
    ])
    func timesAreInUTC(microseconds: UInt64, text: String) {
        #expect(WallClock.timestamp(microseconds: microseconds) == text)
    }
}
