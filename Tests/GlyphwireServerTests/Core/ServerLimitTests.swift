import Foundation
import GlyphwireProtocol
import TextModel
import Testing

@testable import GlyphwireServer

@Suite struct ServerLimitTests {
    /// A row of the table of limits in Protocol.md.
    private struct Row {
        let flag: String
        let defaultText: String
        let unit: String
    }

    private static func documentedRows() throws -> [Row] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Protocol.md")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, cells[1].hasPrefix("`--") else { return nil }
            return Row(
                flag: String(cells[1].trimmingCharacters(in: ["`"]).dropFirst(2)),
                defaultText: cells[2],
                unit: cells[3]
            )
        }
    }

    @Test func theTableOfProtocolHasEachLimitWithItsDefaultAndUnit() throws {
        // The memory for networks belongs to the engine, not to the server.
        let rows = try Self.documentedRows().filter { $0.flag != "network-memory" }
        #expect(rows.map(\.flag).sorted() == ServerLimit.all.map(\.flag).sorted())
        for limit in ServerLimit.all {
            let row = try #require(rows.first { $0.flag == limit.flag })
            #expect((row.unit == "seconds") == (limit.unit == .seconds), "\(limit.flag)")
            #expect(limit.unit != .bytes || row.unit == "bytes", "\(limit.flag)")
            let number = Int(row.defaultText.prefix { $0.isNumber })
            if limit.machineDefault == nil {
                #expect(number == limit.defaultAmount / (limit.unit == .seconds ? 1000 : 1), "\(limit.flag)")
            } else {
                #expect(row.defaultText.contains(", at most "), "\(limit.flag)")
            }
        }
    }

    @Test func eachLimitSetsAPropertyOfItsOwn() throws {
        var configuration = ServerConfiguration()
        // Distinct values that every range holds.
        for (index, limit) in ServerLimit.all.enumerated() {
            let value = limit.unit == .bytes ? (1 << 20) + index : 100 + index
            try limit.setting("\(value)").apply(to: &configuration)
        }
        for (index, limit) in ServerLimit.all.enumerated() {
            let value = limit.unit == .bytes ? (1 << 20) + index : 100 + index
            var other = configuration
            try limit.setting("\(value)").apply(to: &other)
            #expect(other.limits == configuration.limits && other.grace == configuration.grace, "\(limit.flag)")
        }
    }

    @Test(arguments: [
        (ServerLimit.maxMemory, "2G", 2 << 30), (.maxMemory, "64m", 64 << 20), (.maxSide, "1K", 1024),
    ])
    func numbersMayHaveASuffix(limit: ServerLimit, text: String, value: Int) throws {
        var configuration = ServerConfiguration()
        try limit.setting(text).apply(to: &configuration)
        #expect([configuration.limits.maxMemoryBytes, configuration.limits.wire.picture.maxSide].contains(value))
    }

    @Test func aTimeMayHaveAFraction() throws {
        var configuration = ServerConfiguration()
        try ServerLimit.grace.setting("0.25").apply(to: &configuration)
        #expect(configuration.grace == .milliseconds(250))
    }

    @Test(arguments: [
        (ServerLimit.maxSide, "0", "use 1 to 65535"), (.maxSide, "65536", "use 1 to 65535"),
        (.maxUnreadBytes, "9999999999G", "use 4K to 1G"), (.grace, "0", "use 0.001 to 1000000"),
        (.peerTime, "65001", "use 1 to 65000"), (.peerTime, "0.5", "use 1 to 65000"),
        (.grace, "nan", "use 0.001 to 1000000"), (.grace, "1e300", "use 0.001 to 1000000"),
        (.maxWords, "x", "use 1 to"),
    ])
    func aValueThatDoesNotFitIsRejectedWithTheRange(limit: ServerLimit, text: String, hint: String) {
        #expect { try limit.setting(text) } throws: { "\($0)".hasPrefix(hint) }
    }

    @Test func aMessageMayBeMadeToHoldEveryPicture() {
        var limits = ServerLimits()
        limits.wire.picture.maxPixels = 7680 * 4320
        limits.admitUncompressedPictures()
        #expect(limits.wire.maxMessageBytes == 28 + 7680 * 4320 * 4)
        limits.wire.picture.maxPixels = 1
        limits.admitUncompressedPictures()
        #expect(limits.wire.maxMessageBytes == 28 + 7680 * 4320 * 4, "it is not lowered")
    }

    @Test func theHelpHasTheDefault() {
        #expect(ServerLimit.maxMessageBytes.help.hasSuffix("(default: 64M)"))
        #expect(ServerLimit.maxPixels.help.hasSuffix("(default: 37748736)"))
        #expect(ServerLimit.peerTime.help.hasSuffix("(default: 150)"))
        #expect(ServerLimit.maxFramesInFlight.help.hasSuffix("(default: cores + 2, at most 16)"))
        #expect(ServerLimit.maxJPEGScans.variable == "MAX_JPEG_SCANS")
    }
}
