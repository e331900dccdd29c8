internal import ArgumentParser
internal import CommandInput
internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireReplay

struct RecordCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a session from pictures, a video, a motion JPEG stream, or a client.",
        discussion: """
            JPEG files are stored unchanged, other pictures (PNG, WebP, TIFF, GIF, BMP) as JPEG, and all of them as BGRA \
            with --format lz4 or bgra. The pictures of a folder are in natural order, frame2 before frame10. The last message \
            ends the stream, so that the session can be sent to a server unchanged. Videos, and addresses \
            such as rtsp://camera/1, are read through ffmpeg, which must be on the path.

            With --proxy no files are read: clients connect to --listen, all data is forwarded to the server \
            and back, and each client's bytes are recorded, its token included. Only frames without a capture \
            time get their time of arrival, in the file. Ctrl-C ends the recording.

            The session takes its place, and that of an older one, when it is whole. Ctrl-C ends a recording, which keeps \
            all frames up to then; so does an error of a live source. A recording that is killed is in OUTPUT.part.

            EXAMPLES
              A folder of pictures, ten a second:
                glyphwire-replay record pictures/ --fps 10 --output walk.gws
              A video, five frames of each second:
                glyphwire-replay record walk.mp4 --fps 5 --output walk.gws
              A camera, a file or a stream, converted by another program:
                ffmpeg -i rtsp://camera/1 -f mjpeg -q:v 3 - |
                    glyphwire-replay record - -o live.gws
              What a client sends to a server:
                glyphwire-replay record --proxy localhost:7411 --listen 7413 --output client.gws
              A recording of a screen, without loss:
                glyphwire-replay record screen/ --format lz4 --output screen.gws

            EXIT STATUS
              0  the session was written
              1  a file cannot be read or written, or is not a picture
              64 wrong usage
            """
    )

    @Argument(help: "Pictures, folders of them, a video, or - for motion JPEG on standard input.")
    var pictures: [String] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("The session to write.", valueName: "file.gws"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Frames per second, of a video at most. Default: 10 for pictures, all of a video, as they arrive for a stream.",
            valueName: "frames"
        )
    )
    var fps: Double?

    @Option(
        help: ArgumentHelp(
            "The orientation of pictures, 1 to 8 as in EXIF. Default: each picture's own.",
            valueName: "1-8"
        )
    )
    var orientation: Orientation?

    @Option(help: "The format of pictures in the session.")
    var format = Recorder.Format.jpeg

    @Option(help: ArgumentHelp("Record what clients send to this server.", valueName: "host:port"))
    var proxy: ServerAddress?

    @Option(help: ArgumentHelp("The port that clients of the proxy connect to.", valueName: "port"))
    var listen = 7413

    func validate() throws {
        if self.proxy == nil, self.pictures.isEmpty {
            throw ValidationError("Specify pictures, a folder, a video or -, or a server with --proxy.")
        }
        if self.proxy != nil, !self.pictures.isEmpty {
            throw ValidationError("--proxy cannot be combined with pictures.")
        }
        if !(0...65_535).contains(self.listen) { throw ValidationError("--listen takes 0 to 65535.") }
        if self.pictures.contains("-"), self.pictures.count > 1 {
            throw ValidationError("Standard input (-) cannot be combined with other pictures.")
        }
        if let fps = self.fps, !(1e-3...1e5).contains(fps) {
            throw ValidationError("--fps takes a number from 0.001 to 100000.")
        }
    }

    func run(_ console: Console) async throws {
        if let proxy = self.proxy { return try await self.record(proxy, console) }
        let recorder = Recorder(format: self.format, orientation: self.orientation, framesPerSecond: self.fps)
        let onFrame = { @Sendable (count: Int) in
            console.progress("recording: \(count.counted("frame"))", atMostEvery: .seconds(1))
        }
        let summary = try await StopSignal.givenBySignals(console, notice: "ending the recording") { stop in
            guard self.pictures == ["-"] else {
                return try await recorder.record(
                    pictures: self.pictures,
                    to: self.output,
                    until: stop,
                    onFrame: onFrame
                )
            }
            return try await recorder.recordStandardInput(to: self.output, until: stop, onFrame: onFrame)
        }
        if summary.droppedFrames > 0 {
            console.notice("\(summary.droppedFrames.counted("frame")) damaged or cut off, and skipped")
        }
        console.output("\(summary.frames.counted("frame")), \(summary.bytes) bytes in \(self.output)")
    }

    private func record(_ server: ServerAddress, _ console: Console) async throws {
        let proxy = RecordingProxy(
            port: self.listen,
            serverHost: server.host,
            serverPort: server.port,
            output: self.output
        )
        try await StopSignal.givenBySignals(console, notice: "disconnecting the clients") { stop in
            try await proxy.run(
                until: stop,
                onListening: { port in
                    console.output("listening on \(proxy.host):\(port) for \(server.host):\(server.port)")
                },
                onRecording: { recording in
                    if let failure = recording.failure { console.notice("\(recording.path): \(failure)") }
                    console.output(
                        recording.bytes > 0
                            ? "\(recording.frames.counted("frame")), \(recording.bytes) bytes in \(recording.path)"
                            : "a client has sent nothing; there is no recording of it"
                    )
                }
            )
        }
    }
}
