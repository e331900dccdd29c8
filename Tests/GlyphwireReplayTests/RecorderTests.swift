import FoundationEssentials
import Glibc
import ImageCodecs
import GlyphwireProtocol
import TextModel
import NIOCore
import SystemSupport
import TestSupport
import Testing

@testable import GlyphwireReplay

@Suite(.timeLimit(.minutes(1))) struct RecorderTests {
    /// Picture files of each format.
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ImageCodecsTests/Fixtures").path

    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
    }

    /// A picture of 24 x 16 pixels, different for each `number`.
    private func picture(_ name: String, number: UInt8 = 0) throws -> (path: String, pixels: PixelBuffer) {
        var pixels = PixelBuffer(width: 24, height: 16, format: .bgra)
        pixels.withMutableBytes { bytes in
            for index in bytes.indices {
                bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index) &+ number
            }
        }
        let path = try self.folder.file(name)
        try pixels.write(to: path)
        return (path, pixels)
    }

    private static func messages(_ path: String) throws -> [Message] {
        var reader = try SessionReader(path: path)
        var messages: [Message] = []
        while let message = try reader.next() { messages.append(message) }
        let opening = try #require(messages.first)
        messages.removeFirst()
        #expect(opening.header.type == MessageType.configure.rawValue)
        #expect(try StreamConfiguration(json: opening.payload).delivery == .every)
        #expect(reader.ending == .whole)
        return messages
    }

    private static func pixels(_ message: Message) throws -> PixelBuffer {
        let limits = WireLimits()
        let frame = try FrameDescription(header: message.header, limits: limits)
        return try FrameDecoder(limits: limits.picture).withPixels(
            of: frame,
            payload: message.payload.readableBytesSpan
        ) {
            view,
            _ in
            PixelBuffer(copying: view)
        }
    }

    @Test func aFolderIsRecordedInNaturalOrder() async throws {
        for number in [10, 9, 1] as [UInt8] { _ = try self.picture("frame\(number).jpg", number: number) }
        _ = try self.folder.file("notes.txt", [1])
        let output = try self.folder.file("out.gws")
        let summary = try await Recorder(framesPerSecond: 25).record(pictures: [self.folder.path], to: output)
        let messages = try Self.messages(output)
        #expect(summary == Recorder.Summary(frames: 3, bytes: try TemporaryFolder.bytes(of: output).count))
        #expect(messages.map(\.header.type) == [1, 1, 1, 4])
        #expect(messages.prefix(3).map(\.header.sequence) == [1, 2, 3])
        #expect(messages.prefix(3).map(\.header.capturedMicroseconds) == [40_000, 80_000, 120_000])
        for (message, number) in zip(messages, [1, 9, 10]) {
            let file = try TemporaryFolder.bytes(of: "\(self.folder.path)/frame\(number).jpg")
            #expect(Array(message.payload.readableBytesView) == file)
            #expect(message.header.orientation == 0)
        }
    }

    @Test(arguments: [(Recorder.Format.jpeg, FrameFormat.jpeg), (.lz4, .bgraLZ4Block), (.bgra, .bgra)])
    func aPNGIsPutIntoTheFormatThatWasAskedFor(format: Recorder.Format, expected: FrameFormat) async throws {
        let (path, pixels) = try self.picture("screen.png")
        let output = try self.folder.file("out.gws")
        _ = try await Recorder(format: format, orientation: .left).record(pictures: [path], to: output)
        let message = try #require(try Self.messages(output).first)
        #expect(message.header.format == expected.rawValue)
        #expect(message.header.orientation == 8)
        let decoded = try Self.pixels(message)
        #expect((decoded.width, decoded.height) == (24, 16))
        if expected != .jpeg { #expect(decoded == pixels) }
    }

    @Test(arguments: ["colour.png", "colour.webp", "colour.tif", "palette.gif", "colour.bmp"])
    func aPictureOfAnyFormatIsRecordedAsWhatItsFrameSays(name: String) async throws {
        let path = "\(Self.fixtures)/\(name)"
        let picture = try PictureFile(path: path).picture().pixels.withPixels { PixelBuffer(copyingInColour: $0) }
        let output = try self.folder.file("out.gws")
        _ = try await Recorder().record(pictures: [path], to: output)
        let message = try #require(try Self.messages(output).first)
        #expect(message.header.format == FrameFormat.jpeg.rawValue)
        #expect(message.payload.readableBytesView.starts(with: [0xFF, 0xD8]))
        let decoded = try Self.pixels(message)
        #expect((decoded.width, decoded.height) == (picture.width, picture.height))
        _ = try await Recorder(format: .lz4).record(pictures: [path], to: output)
        #expect(try Self.pixels(try #require(try Self.messages(output).first)) == picture)
    }

    @Test func allPicturesOfAFolderAreRecordedAndNothingElse() async throws {
        let names = ["1.png", "2.webp", "3.tif", "4.tiff", "5.gif", "6.bmp", "7.jpg", "8.jpeg", "9.JPE"]
        let fixtures = ["colour.png", "colour.webp", "colour.tif", "colour.tif", "palette.gif", "colour.bmp"]
        for (name, fixture) in zip(names, fixtures + ["rgb.jpg", "rgb.jpg", "rgb.jpg"]) {
            _ = try self.folder.file(name, try TemporaryFolder.bytes(of: "\(Self.fixtures)/\(fixture)"))
        }
        // A pipe without a writer blocks its reader.
        #expect(mkfifo("\(self.folder.path)/pipe.jpg", 0o600) == 0)
        #expect(mkdir("\(self.folder.path)/folder.jpg", 0o700) == 0)
        _ = try self.folder.file(".hidden.jpg", [1])
        let output = try self.folder.file("out.gws")
        let summary = try await Recorder().record(pictures: [self.folder.path], to: output)
        #expect(summary.frames == names.count)
    }

    @Test(.enabled(if: Program.system("ffmpeg") != nil, "ffmpeg is missing"))
    func aVideoIsRecordedAsItIsShown() async throws {
        let ffmpeg = try #require(Program.system("ffmpeg"))
        let film = try self.folder.file("film.mkv")
        // Thirty pictures a second, each brighter than the one before.
        let pictures = "color=black:size=16x16:rate=30:duration=2,format=gray,geq=lum='16+3*N'"
        let making = try Program(ffmpeg, ["-v", "error", "-f", "lavfi", "-i", pictures, "-c:v", "ffv1", film])
        #expect(await making.wait().exitCode == 0)
        let output = try self.folder.file("out.gws")
        _ = try await Recorder(format: .bgra, framesPerSecond: 5).record(pictures: [film], to: output)
        let levels = try Self.messages(output).dropLast().compactMap { $0.payload.readableBytesView.first }
        // Those of every sixth picture.
        #expect(levels == [16, 34, 52, 70, 88, 106, 124, 142, 160, 178])
    }

    @Test(.enabled(if: Program.system("ffmpeg") != nil, "ffmpeg is missing"))
    func picturesOfAVideoKeepTheirTimes() async throws {
        let ffmpeg = try #require(Program.system("ffmpeg"))
        let film = try self.folder.file("talk.mov")
        let times = "setpts=(10*gt(N\\,0)+3*gt(N\\,1))/TB"
        let pictures = "color=black:size=16x16:rate=1,trim=end_frame=3,format=rgb24,\(times)"
        let making = try Program(
            ffmpeg,
            ["-v", "error", "-f", "lavfi", "-i", pictures, "-vsync", "passthrough", "-c:v", "png", film]
        )
        #expect(await making.wait().exitCode == 0)
        let output = try self.folder.file("out.gws")
        for rate in [nil, 30] as [Double?] {
            _ = try await Recorder(framesPerSecond: rate).record(pictures: [film], to: output)
            let captured = try Self.messages(output).dropLast().map(\.header.capturedMicroseconds)
            // A time of 0 is unknown.
            #expect(captured == [1, 10_000_000, 13_000_000])
        }
    }

    @Test(.enabled(if: Program.system("ffmpeg") != nil, "ffmpeg is missing"), arguments: [Recorder.Format.jpeg, .lz4])
    func picturesOfAVideoKeepTheirSizes(format: Recorder.Format) async throws {
        let widths = [24, 24, 48, 48, 24, 24]
        let pictures = try widths.map { width in
            try PixelBuffer(width: width, height: 16, format: .bgra).withPixels { try JPEGEncoder().encode($0) }
        }
        let film = try self.folder.file("film.mjpeg", Array(pictures.joined()))
        let output = try self.folder.file("out.gws")
        // The address of a file is no live source.
        _ = try await Recorder(format: format).record(pictures: ["file://\(film)"], to: output)
        let messages = try Self.messages(output).dropLast()
        #expect(try messages.map { try Self.pixels($0).width } == widths)
        #expect(messages.map(\.header.capturedMicroseconds) == [1, 40_000, 80_000, 120_000, 160_000, 200_000])
    }

    @Test func aStreamThatIsStoppedKeepsItsFrames() throws {
        let jpeg = try TemporaryFolder.bytes(of: try self.picture("1.jpg").path)
        let output = try self.folder.file("out.gws", Array("old".utf8))
        var ends: [Int32] = [0, 0]
        let isOpen = pipe(&ends) == 0
        try #require(isOpen)
        // The stream goes on.
        defer { close(ends[1]) }
        let written = write(ends[1], jpeg, jpeg.count)
        #expect(written == jpeg.count)
        let stop = StopSignal()
        let stream = File(path: "the pipe", descriptor: ends[0], closes: true)
        let summary = try Recorder().record(stream: stream, to: output, until: stop) { _ in stop.stop() }
        #expect(summary.frames == 1)
        #expect(try Self.messages(output).map(\.header.type) == [1, 4])
    }

    @Test(.enabled(if: Program.system("ffprobe") != nil, "ffprobe is missing"))
    func aFileThatIsStillExaminedDoesNotKeepARecordingFromEnding() async throws {
        let (film, output) = (try self.folder.file("film.mp4"), try self.folder.file("out.gws"))
        let isMade = mkfifo(film, 0o600) == 0
        try #require(isMade)
        let stop = StopSignal()
        let recording = Task { try await Recorder().record(pictures: [film], to: output, until: stop) }
        // Open once `ffprobe` reads it, which then waits for bytes.
        let opening: @Sendable () -> Int32 = { open(film, O_WRONLY | O_CLOEXEC) }
        let writer = try await NamedThread.run(name: "test", opening, onCancel: {})
        stop.stop()
        await #expect(throws: ReplayError(.badPicture, "")) { try await recording.value }
        close(writer)
    }

    @Test func aLiveSourceKeepsItsFramesInSpiteOfAnError() throws {
        let output = try self.folder.file("out.gws", Array("old".utf8))
        var recording = try SessionRecording(to: output, apartFrom: [], until: StopSignal()) { _ in }
        recording.keep()
        #expect(try TemporaryFolder.text(of: output) == "old", "there is no frame yet")
        try recording.add(TestSession.frame(1, captured: 1))
        recording.keep()
        #expect(try Self.messages(output) == [TestSession.frame(1, captured: 1)])
    }

    @Test func aMotionJPEGStreamIsRecorded() throws {
        let (first, second) = (try self.picture("1.jpg").path, try self.picture("2.jpg", number: 90).path)
        let files = [try TemporaryFolder.bytes(of: first), try TemporaryFolder.bytes(of: second)]
        let stream = try self.folder.file("stream.mjpeg", files[0] + files[1] + files[0].dropLast(5))
        let output = try self.folder.file("out.gws")
        let before = UInt64(Date().timeIntervalSince1970 * 1e6)
        let summary = try Recorder(orientation: .right).record(stream: File(reading: stream), to: output) { _ in }
        let messages = try Self.messages(output)
        #expect(summary.frames == 2)
        #expect(summary.droppedFrames == 1)
        #expect(messages.prefix(2).map { Array($0.payload.readableBytesView) } == files)
        #expect(messages.prefix(2).map(\.header.orientation) == [6, 6])
        #expect(messages.prefix(2).allSatisfy { $0.header.capturedMicroseconds >= before })
    }

    @Test func aStreamWithARateHasEvenTimes() throws {
        let file = try TemporaryFolder.bytes(of: try self.picture("1.jpg").path)
        let stream = try self.folder.file("stream.mjpeg", file + file)
        let output = try self.folder.file("out.gws")
        _ = try Recorder(framesPerSecond: 50).record(stream: File(reading: stream), to: output) { _ in }
        #expect(try Self.messages(output).prefix(2).map(\.header.capturedMicroseconds) == [20_000, 40_000])
    }

    @Test func unreadableInputsAreReported() async throws {
        let output = try self.folder.file("out.gws")
        let text = try self.folder.file("notes.txt", Array("hello".utf8))
        let empty = try TemporaryFolder()
        let recorder = Recorder()
        let cases: [(path: String, code: ReplayError.Code)] = [
            ("/nowhere", .unreadable), ("/nowhere/\u{FFFD}.jpg", .unreadable), (text, .badPicture),
            (empty.path, .badPicture),
        ]
        for (path, code) in cases {
            await #expect(throws: ReplayError(code, "")) { try await recorder.record(pictures: [path], to: output) }
        }
        #expect(throws: ReplayError(.badPicture, "")) {
            try recorder.record(stream: File(reading: text), to: output) { _ in }
        }
    }
}
