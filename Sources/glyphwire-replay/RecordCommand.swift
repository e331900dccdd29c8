internal import ArgumentParser
internal import GlyphwireProtocol
internal import GlyphwireReplay

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Make a session of pictures, or of a motion JPEG stream.",
        discussion: """
            JPEG files go into the session as they are; PNG files are put into the format that --format names. A folder's \
            pictures are taken in the order a person expects, frame2 before frame10. The last message is the one that \
            ends a stream, so that the session can be sent to a server as it is.

            A recording from standard input that is broken off keeps every frame it had.

            EXAMPLES
              A folder of pictures, ten a second:
                glyphwire-replay record pictures/ --fps 10 --output walk.gws
              A camera, a file or a stream, whatever ffmpeg reads:
                ffmpeg -i rtsp://camera/1 -f mjpeg -q:v 3 - | glyphwire-replay record - -o live.gws
              A recording of a screen, without loss:
                glyphwire-replay record screen/ --format lz4 --output screen.gws

            EXIT STATUS
              0  the session is written
              1  a file cannot be read or written, or is no picture
              64 wrong usage
            """
    )

    @Argument(help: "Pictures (JPEG, PNG), folders of them, or - for motion JPEG on standard input.")
    var pictures: [String]

    @Option(name: .shortAndLong, help: ArgumentHelp("The session to write.", valueName: "file.gws"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Frames a second; 10 for pictures, and as they come in for a stream.",
            valueName: "frames"
        )
    )
    var fps: Double?

    @Option(
        help: ArgumentHelp(
            "How pictures must be turned, 1 to 8 as in EXIF; each one's own otherwise.",
            valueName: "1-8"
        )
    )
    var orientation: Orientation?

    @Option(help: "What PNG pictures become.")
    var format = Recorder.Format.jpeg

    func validate() throws {
        if self.pictures.contains("-"), self.pictures.count > 1 {
            throw ValidationError("Standard input (-) is recorded alone, without other pictures.")
        }
        if let fps = self.fps, !(1e-3...1e5).contains(fps) {
            throw ValidationError("--fps takes a number from 0.001 to 100000.")
        }
    }

    func run() throws {
        let console = Console()
        let recorder = Recorder(format: self.format, orientation: self.orientation, framesPerSecond: self.fps)
        let clock = ContinuousClock()
        var next = clock.now + .seconds(1)
        let onFrame = { (count: Int) in
            guard clock.now >= next else { return }
            next = clock.now + .seconds(1)
            console.progress("recording: \(count) frames")
        }
        let summary =
            self.pictures == ["-"]
            ? try recorder.recordStandardInput(to: self.output, onFrame: onFrame)
            : try recorder.record(pictures: self.pictures, to: self.output, onFrame: onFrame)
        if summary.droppedFrames > 0 {
            console.notice("\(summary.droppedFrames) frames were damaged or cut off, and are left out")
        }
        console.output("\(summary.frames) frames, \(summary.bytes) bytes in \(self.output)")
    }
}
