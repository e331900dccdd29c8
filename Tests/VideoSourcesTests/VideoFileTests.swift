import Foundation
import GlyphwireClient
import NIOCore
import TestSupport
import Testing
import TextModel

@testable import VideoSources

/// Properties of video files by the reports of `ffprobe`.
@Suite struct VideoProbeTests {
    private static let rate = "stream|avg_frame_rate=30/1|start_time="

    @Test(arguments: [
        ("packet|pts_time=0.000000|flags=K_\n\(Self.rate)0.000000\nformat|start_time=0.000000|duration=4.0", 0),
        // Sound begins first.
        ("packet|pts_time=3.423000|flags=K_|side_data|\n\n\(Self.rate)3.423000\nformat|start_time=1.400000", 2023),
        // A broadcast is recorded from between two key frames.
        (
            "packet|pts_time=8.080|flags=__\npacket|pts_time=9.500|flags=K_\n\(Self.rate)8.080\nformat|start_time=8.000",
            1500
        ),
        // An edit list leaves out what is in front of the cut.
        ("packet|pts_time=-1.280000|flags=KD\n\(Self.rate)0.000000\nformat|start_time=0.000000", 0),
        ("packet|pts_time=N/A|flags=K_\n\(Self.rate)N/A\nformat|start_time=N/A|duration=N/A", 0),
        // A mistake in the file.
        ("packet|pts_time=9e18|flags=K_\n\(Self.rate)9e18\nformat|start_time=0.000000", 86_400_000),
    ])
    func theStartIsTheTimeOfTheFirstPicture(report: String, milliseconds: Int) throws {
        let start = try #require(VideoProbe(report: report)).start
        // The report has decimal fractions.
        #expect(abs(start.microseconds - milliseconds * 1000) <= 1)
    }

    @Test func whatHasNoVideoHasNoProperties() {
        #expect(VideoProbe(report: "format|start_time=0.000000|duration=4.000000") == nil)
        #expect(VideoProbe(report: "stream|avg_frame_rate=0/0|start_time=0.000000") == nil)
    }
}

/// Video files by `ffmpeg`: which picture a frame is, and its time.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Program.system("ffmpeg") != nil, "ffmpeg is missing"))
struct VideoFileTests {
    /// A frame's time in microseconds, and the brightness of its picture.
    private struct Sample: Equatable {
        let time: UInt64
        let level: UInt8
    }

    /// Makes a film of 60 pictures, 30 a second, each brighter than the one before, which begin after a second of sound.
    ///
    /// Matroska rounds their times to milliseconds.
    private static func makeFilm(at path: String) async throws {
        let ffmpeg = try #require(Program.system("ffmpeg"))
        let pictures = "color=black:size=16x16:rate=30:duration=2,format=gray,geq=lum='16+3*N'"
        let inputs = ["-f", "lavfi", "-i", "sine=duration=4", "-itsoffset", "1", "-f", "lavfi", "-i", pictures]
        let output = ["-map", "1:v", "-map", "0:a", "-c:v", "ffv1", "-c:a", "pcm_s16le", path]
        let outcome = await (try Program(ffmpeg, ["-v", "error"] + inputs + output)).wait()
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }

    private static func samples(of path: String, rate: FrameRate?) async throws -> [Sample] {
        let probe = try VideoProbe(path: path)
        let input = FFmpegSource.Input.file(path, rate: rate ?? probe.framesPerSecond, start: probe.start)
        let source = FFmpegSource(input, maxRate: nil, maxPixels: 1 << 20)
        let mailbox = FrameMailbox(isLive: false)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { mailbox.finish() }
                try await source.run(into: mailbox)
            }
            var samples: [Sample] = []
            while let frame = await mailbox.take() {
                let level = try #require(frame.payload.readableBytesView.first)
                samples.append(Sample(time: frame.capturedMicroseconds, level: level))
                mailbox.answered()
            }
            try await tasks.waitForAll()
            return samples
        }
    }

    @Test func aFrameShowsWhatIsShownAtItsTime() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let film = folder.appending(path: "film.mkv").path()
        try await Self.makeFilm(at: film)
        let all = try await Self.samples(of: film, rate: nil)
        let times = (0..<60).map { (number: UInt64) in 1_000_000 + number * 1_000_000 / 30 }
        #expect(all.map(\.time) == times)
        #expect(Set(all.map(\.level)).count == 60)
        let some = try await Self.samples(of: film, rate: FrameRate("5"))
        #expect(some == stride(from: 0, to: 60, by: 6).map { all[$0] })
    }
}
