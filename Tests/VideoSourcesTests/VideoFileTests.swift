import Foundation
import GlyphwireClient
import ImageCodecs
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
        // The cover of a record.
        #expect(VideoProbe(report: "stream|avg_frame_rate=0/0|start_time=0.0|disposition:attached_pic=1") == nil)
    }

    private static func probe(_ rates: String, duration: String) throws -> VideoProbe {
        try #require(VideoProbe(report: "stream|\(rates)|disposition:attached_pic=0\nformat|duration=\(duration)"))
    }

    @Test func aRateThatTheFileDoesNotExceedTakesAll() throws {
        // Pictures of a talk: the mean is far below the rate of some.
        let film = try Self.probe("avg_frame_rate=75/913|r_frame_rate=25/1", duration: "92.04")
        let slow = try #require(FrameRate("5"))
        #expect(film.sampling(at: nil) == .all)
        #expect(film.sampling(at: slow) == .moments(slow))
        #expect(film.sampling(at: FrameRate("25")) == .all)
        #expect(film.sampling(at: FrameRate("60")) == .all)
        let unknown = try Self.probe("avg_frame_rate=0/0|r_frame_rate=0/0", duration: "N/A")
        #expect(unknown.sampling(at: slow) == .moments(slow))
    }

    @Test func theLastPictureIsShownToTheEnd() throws {
        let film = try Self.probe("avg_frame_rate=25/1|r_frame_rate=25/1", duration: "92.5")
        let last = Duration.seconds(62)
        #expect(film.end(afterPictureAt: last, rate: nil, isWhole: true) == .milliseconds(92_500))
        #expect(film.end(afterPictureAt: last, rate: nil, isWhole: false) == .milliseconds(62_040))
        #expect(film.end(afterPictureAt: .seconds(93), rate: nil, isWhole: true) == .milliseconds(93_040))
        let unknown = try Self.probe("avg_frame_rate=25/1", duration: "N/A")
        #expect(unknown.end(afterPictureAt: last, rate: FrameRate("1/10"), isWhole: true) == .seconds(72))
        // A mistake in the file.
        let endless = try Self.probe("avg_frame_rate=1/4294967295", duration: "9e30")
        #expect(endless.end(afterPictureAt: .zero, rate: nil, isWhole: true) == .seconds(315_576_000))
        #expect(endless.end(afterPictureAt: .zero, rate: nil, isWhole: false) == .seconds(315_576_000))
    }
}

/// Video files by `ffmpeg`: which picture a frame is, its size, and its time.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Program.system("ffmpeg") != nil, "ffmpeg is missing"))
struct VideoFileTests {
    /// A frame's time in microseconds, its width, and the brightness of its first pixel.
    private struct Sample: Equatable {
        let time: UInt64
        var width: UInt16 = 16
        let level: UInt8
    }

    /// Runs `ffmpeg`, which makes a film of pictures of 16 x 16 pixels.
    ///
    /// - Parameters:
    ///   - film: The path of the film.
    ///   - inputs: Arguments of what is in front of the pictures.
    ///   - pictures: The pictures, in the language of filters.
    ///   - output: Arguments of the film.
    private static func make(_ film: String, inputs: [String] = [], pictures: String, output: [String]) async throws {
        let ffmpeg = try #require(Program.system("ffmpeg"))
        let arguments = ["-v", "error"] + inputs + ["-f", "lavfi", "-i", pictures] + output + [film]
        let outcome = await (try Program(ffmpeg, arguments)).wait()
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }

    /// Runs `body` with the path of a film, which it makes.
    private static func withFilm(_ name: String, _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: name).path())
    }

    /// Gray pictures at a rate, each brighter than the one before.
    private static func pictures(count: Int, rate: Int, step: Int) -> String {
        "color=black:size=16x16:rate=\(rate),trim=end_frame=\(count),format=gray,geq=lum='16+\(step)*N'"
    }

    private static func samples(of path: String, rate: FrameRate? = nil) async throws -> [Sample] {
        let probe = try await VideoExamination.properties(of: path)
        let input = VideoInput.file(path, start: probe.start)
        return try await Self.samples(of: FFmpegSource(input, sampling: probe.sampling(at: rate), maxPixels: 1 << 20))
    }

    private static func samples(of source: FFmpegSource) async throws -> [Sample] {
        let mailbox = FrameMailbox(isLive: false)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { mailbox.finish() }
                try await source.run(into: mailbox)
            }
            var samples: [Sample] = []
            while let frame = await mailbox.take() {
                #expect(frame.payload.readableBytes == Int(frame.width) * Int(frame.height) * 4)
                let level = try #require(frame.payload.readableBytesView.first)
                samples.append(Sample(time: frame.capturedMicroseconds, width: frame.width, level: level))
                mailbox.answered()
            }
            try await tasks.waitForAll()
            return samples
        }
    }

    @Test func aFrameShowsWhatIsShownAtItsTime() async throws {
        try await Self.withFilm("film.mkv") { film in
            // The pictures begin after a second of sound, and Matroska rounds their times to milliseconds.
            let sound = ["-f", "lavfi", "-i", "sine=duration=4", "-itsoffset", "1"]
            let output = ["-map", "1:v", "-map", "0:a", "-c:v", "ffv1", "-c:a", "pcm_s16le"]
            let pictures = Self.pictures(count: 60, rate: 30, step: 3)
            try await Self.make(film, inputs: sound, pictures: pictures, output: output)
            let all = try await Self.samples(of: film)
            let times = (0..<60).map { (number: UInt64) in 1_000_000 + (number * 1000 + 15) / 30 * 1000 }
            #expect(all.map(\.time) == times)
            #expect(Set(all.map(\.level)).count == 60)
            let some = try await Self.samples(of: film, rate: FrameRate("5"))
            #expect(some.map(\.time) == (0..<10).map { 1_000_000 + $0 * 200_000 })
            #expect(some.map(\.level) == stride(from: 0, to: 60, by: 6).map { all[$0].level })
            // More than there are cannot be taken.
            #expect(try await Self.samples(of: film, rate: FrameRate("60")) == all)
        }
    }

    @Test func aBroadcastThatBeginsWithSoundHasThePositionsOfItsPictures() async throws {
        try await Self.withFilm("film.ts") { film in
            let sound = ["-f", "lavfi", "-i", "sine=duration=4", "-itsoffset", "1"]
            let coding = ["-vsync", "passthrough", "-c:v", "mpeg2video", "-c:a", "mp2"]
            let pictures = Self.pictures(count: 25, rate: 25, step: 3)
            let output = ["-map", "0:a", "-map", "1:v"] + coding
            try await Self.make(film, inputs: sound, pictures: pictures, output: output)
            // The coded sound begins a little before the first sample.
            let times = try await Self.samples(of: film).map(\.time)
            #expect(times.count == 25)
            #expect(times.allSatisfy { (1_000_000...2_000_000).contains($0) }, "\(times)")
            let some = try await Self.samples(of: film, rate: FrameRate("5")).map(\.time)
            #expect(some.first == times.first)
        }
    }

    @Test func picturesOfATalkAreAllTakenAtTheirOwnTimes() async throws {
        try await Self.withFilm("talk.mov") { film in
            let times = "setpts=(10*gt(N\\,0)+3*gt(N\\,1)+47*gt(N\\,2)+2*gt(N\\,3))/TB"
            let pictures = Self.pictures(count: 5, rate: 1, step: 40) + ",format=rgb24,\(times)"
            try await Self.make(film, pictures: pictures, output: ["-vsync", "passthrough", "-c:v", "png"])
            let all = try await Self.samples(of: film)
            #expect(all.map(\.time) == [0, 10, 13, 60, 62].map { $0 * 1_000_000 })
            #expect(Set(all.map(\.level)).count == 5)
            let some = try await Self.samples(of: film, rate: FrameRate("1/5"))
            #expect(some.map(\.time) == (0..<13).map { $0 * 5_000_000 })
            // Shown are the first picture at 0 and 5, the second at 10, the third from 15 on, and the fourth at 60.
            let levels = [0, 0, 1] + Array(repeating: 2, count: 9) + [3]
            #expect(some.map(\.level) == levels.map { all[$0].level })
        }
    }

    @Test func timesOfADayAreExact() async throws {
        try await Self.withFilm("day.mov") { film in
            // Units of 1/90000 seconds, as those of telephones.
            let times = "settb=1/90000,setpts=1943999917*N+7919*gt(N\\,2)"
            let pictures = Self.pictures(count: 5, rate: 25, step: 40) + ",format=rgb24,\(times)"
            let unit = ["-enc_time_base", "1:90000", "-video_track_timescale", "90000"]
            try await Self.make(film, pictures: pictures, output: unit + ["-vsync", "passthrough", "-c:v", "png"])
            let expected = [0, 21_599_999_078, 43_199_998_156, 64_800_085_222, 86_400_084_300] as [UInt64]
            #expect(try await Self.samples(of: film).map(\.time) == expected)
        }
    }

    /// Writes black pictures of some widths, as JPEG files one behind the other.
    private static func write(_ film: String, widths: [Int]) throws {
        let pictures = try widths.map { width in
            let pixels = PixelBuffer(width: width, height: width / 2, format: .bgra)
            return try pixels.withPixels { try JPEGEncoder().encode($0) }
        }
        try Data(pictures.joined()).write(to: URL(filePath: film))
    }

    @Test func aFilmMayChangeItsSize() async throws {
        try await Self.withFilm("film.mjpeg") { film in
            let widths = [16, 16, 16, 16, 32, 32, 32, 32, 16, 16, 16, 16]
            try Self.write(film, widths: widths)
            // Without times of their own, 25 are shown a second.
            let all = try await Self.samples(of: film)
            #expect(all.map(\.width) == widths.map { UInt16($0) })
            #expect(all.map(\.time) == (0..<12).map { $0 * 40_000 })
            let some = try await Self.samples(of: film, rate: FrameRate("12.5"))
            #expect(some.map(\.width) == [16, 16, 32, 32, 16, 16])
            #expect(some.map(\.time) == (0..<6).map { $0 * 80_000 })
        }
    }

    @Test func aPictureThatGrowsBeyondTheLimitIsAnError() async throws {
        try await Self.withFilm("film.mjpeg") { film in
            try Self.write(film, widths: [16, 32])
            let source = FFmpegSource(.file(film, start: .zero), sampling: .all, maxPixels: 16 * 8)
            await #expect(throws: SourceError(.notAPicture, "the pictures have more than 128 pixels")) {
                try await Self.samples(of: source)
            }
        }
    }

    @Test func transparentPicturesAreOnABackdrop() async throws {
        try await Self.withFilm("film.mkv") { film in
            let pictures = "color=black@0:size=16x16:rate=25,format=rgba,trim=end_frame=1"
            try await Self.make(film, pictures: pictures, output: ["-c:v", "png"])
            #expect(try await Self.samples(of: film) == [Sample(time: 0, level: 255)])
        }
    }

    @Test func aLiveSourceBeginsWithItsFirstPictureEvenIfThatIsTheOnlyKeyFrame() async throws {
        try await Self.withFilm("film.flv") { film in
            let pictures = Self.pictures(count: 50, rate: 25, step: 3)
            try await Self.make(film, pictures: pictures, output: ["-c:v", "flv", "-g", "100"])
            let source = FFmpegSource(.stream("file:\(film)"), sampling: .all, maxPixels: 1 << 20)
            let levels = try await Self.samples(of: source).map(\.level)
            #expect(levels.count == 50 && levels.first == levels.min())
        }
    }

    @Test func aLiveSourceIsThinnedAndNeverMultiplied() async throws {
        try await Self.withFilm("film.mkv") { film in
            let pictures = Self.pictures(count: 60, rate: 30, step: 3)
            try await Self.make(film, pictures: pictures, output: ["-c:v", "ffv1"])
            // All pictures come at once.
            for (rate, counts) in [("1/1000", 1...1), ("1000", 1...60)] {
                let sampling = PictureSampling(pace: FrameRate(rate))
                let source = FFmpegSource(.stream("file:\(film)"), sampling: sampling, maxPixels: 1 << 20)
                let mailbox = FrameMailbox(isLive: true)
                try await source.run(into: mailbox)
                #expect(counts.contains(mailbox.arrivals), "\(rate): \(mailbox.arrivals)")
            }
        }
    }
}
