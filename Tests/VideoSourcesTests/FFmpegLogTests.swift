import Testing

@testable import VideoSources

/// The log of `ffmpeg`, which has the size and the time of each picture.
@Suite struct FFmpegLogTests {
    private static let reports = [
        // Versions 4.2, 5.1 and 7.0.
        "[showinfo@pictures @ 0x41297200] [info] n:   1 pts:10000000 pts_time:10      pos:     5335 fmt:yuv420p sar:1/1 "
            + "s:640x360 i:P iskey:0 type:B ",
        "[showinfo@pictures @ 0x555877151d80] [info] n:  10 pts:10000000 pts_time:10      pos:     5335 fmt:yuv420p "
            + "sar:1/1 s:640x360 i:P iskey:0 type:B ",
        "[showinfo@pictures @ 0x7fa040002c40] [info] n:   1 pts:10000000 pts_time:10      duration:  40000 "
            + "duration_time:0.04    fmt:yuv420p cl:left sar:1/1 s:640x360 i:P iskey:0 type:B ",
    ]

    @Test(arguments: Self.reports)
    func aReportHasTheSizeAndTheTimeOfAPicture(line: String) throws {
        #expect(FFmpegDecoder.kind(ofLine: line) == .report)
        let report = try #require(PictureReport(line))
        #expect(report.microseconds == 10_000_000)
        #expect((report.width, report.height) == (640, 360))
        #expect(!report.mayBeTransparent)
    }

    private static let times: [(String, Int?)] = [
        ("-92661", -92_661), ("      0", 0), ("86399996311", 86_399_996_311), ("NOPTS", nil),
    ]

    @Test(arguments: Self.times)
    func timesAreNegativeOrLongOrMissing(time: String, microseconds: Int?) throws {
        let line = "[showinfo@pictures @ 0x1] [info] n:   0 pts:\(time) fmt:gray s:2x4 i:P"
        let report = try #require(PictureReport(line))
        #expect(report.microseconds == microseconds)
    }

    @Test(arguments: [
        ("rgba", true), ("bgra", true), ("yuva444p10le", true), ("gbrap", true), ("ya8", true), ("pal8", true),
        ("bgr0", false), ("yuyv422", false), ("gray", false), ("gbrp", false), ("nv12", false),
    ])
    func formatsWithAlphaMayBeTransparent(format: String, isTransparent: Bool) throws {
        let report = try #require(PictureReport("[showinfo@pictures @ 0x1] [info] n: 0 pts: 0 fmt:\(format) s:2x4 i:P"))
        #expect(report.mayBeTransparent == isTransparent)
    }

    @Test func aReportOfAnotherKindIsNotTaken() {
        let line = "[showinfo@pictures @ 0x1] [info] n: 0 pts: 0 fmt:gray size:2x4"
        #expect(FFmpegDecoder.kind(ofLine: line) == .report)
        #expect(PictureReport(line) == nil)
        #expect(PictureReport("[showinfo@pictures @ 0x1] [info] n: 0 pts: 0 fmt:gray s:0x4 i:P") == nil)
        // The title of a film may say so.
        #expect(!PictureReport.isReport("    title : [showinfo@pictures @ 0x1] [info] n: 0 pts: 0 fmt:gray s:2x4 i:P"))
    }

    @Test(arguments: [
        ("[error] rtsp://a:1: Connection refused", "rtsp://a:1: Connection refused"),
        ("[tcp @ 0x1] [error] Connection to tcp://a:1 failed", "[tcp @ 0x1] Connection to tcp://a:1 failed"),
        ("[fatal] Unrecognized option 'x'.", "Unrecognized option 'x'."),
        // The linker is not `ffmpeg`.
        ("ffmpeg: error while loading shared libraries", "ffmpeg: error while loading shared libraries"),
    ])
    func complaintsHaveNoLevel(line: String, complaint: String) {
        #expect(FFmpegDecoder.kind(ofLine: line) == .complaint(complaint))
    }

    @Test(arguments: [
        "[info]   Duration: 00:01:32.04, start: 0.000000, bitrate: 1 kb/s",
        "[showinfo@pictures @ 0x1] [info] config in time_base: 1/1000000, frame_rate: 1/1",
        "[graph 0 input from stream 0:0 @ 0x1] [warning] Changing video frame properties on the fly is not supported.",
        "    Last message repeated 4 times",
    ])
    func theRestIsNoise(line: String) {
        #expect(FFmpegDecoder.kind(ofLine: line) == .noise)
    }

    @Test(arguments: [1, 3, 1000])
    func linesAreWholeWhereverTheyAreSplit(chunkByteCount: Int) {
        var output = ErrorOutput { $0.hasPrefix("report") ? .report : .complaint($0) }
        let bytes = Array("report 1\n\nwhy\u{1B}[0m\r\nreport 2\nthe end".utf8)
        for start in stride(from: 0, to: bytes.count, by: chunkByteCount) {
            output.append(bytes[start..<min(start + chunkByteCount, bytes.count)])
        }
        #expect(output.complaints == ["why[0m"])
        output.finish()
        #expect(output.nextReport() == "report 1")
        #expect(output.nextReport() == "report 2")
        #expect(output.nextReport() == nil)
        #expect(output.complaints == ["why[0m", "the end"])
    }

    @Test func endlessOutputTakesLittleMemory() {
        var output = ErrorOutput { .complaint($0) }
        for _ in 0..<1000 { output.append(Array(repeating: UInt8(ascii: "a"), count: 1000)[...]) }
        for number in 0..<1000 { output.append(Array("\n\(number)".utf8)[...]) }
        #expect(output.complaints.count == 16)
        #expect(output.complaints.last == "998")
        output.finish()
        #expect(output.complaints.last == "999")
    }
}
