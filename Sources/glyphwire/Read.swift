internal import ArgumentParser
internal import FrameCodecs
internal import FrameOverlay
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOCore
internal import TextEngine
internal import TextEngineOpenVINO

/// `glyphwire read`: the engine on files, without a server.
struct Read: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the text in pictures.",
        discussion: """
            Reads JPEG and PNG files just as the server reads frames. A picture that cannot be read is told on standard \
            error, the others are read all the same, and the exit code is 1 then.

            EXAMPLES
              glyphwire read photo.jpg           the text, line by line
              glyphwire read --json *.jpg        the result lines, with boxes and times
              glyphwire read photo.jpg --overlay boxes.png
              glyphwire read scans/*.png --level accurate --languages en,de
            """
    )

    @Argument(help: ArgumentHelp("JPEG or PNG files.", valueName: "picture"))
    var pictures: [String]

    @Flag(help: "Print the result lines of the protocol; their sequence numbers count the pictures from 0.")
    var json = false

    @Option(help: "Which models read. (default: fast)")
    var level: RecognitionLevel?

    @Option(
        help: ArgumentHelp("How the pictures lie, 1 to 8 as in EXIF; 0 asks the files themselves.", valueName: "0...8")
    )
    var orientation: UInt8 = 0

    @Flag(inversion: .prefixedNo, help: "Tell where each character is.")
    var characters = true

    @Option(help: "What the numbers of the boxes mean.")
    var coordinates: CoordinateSpace = .sent

    @Option(help: ArgumentHelp("Languages to expect, such as en,de,zh-Hans. (default: all)", valueName: "codes"))
    var languages: String?

    @Option(
        help: ArgumentHelp(
            "Write the pictures with boxes drawn on, words in red and characters in blue: into this file, or folder.",
            valueName: "file or folder"
        )
    )
    var overlay: String?

    @Option(help: ModelFolder.help)
    var models: String?

    func validate() throws {
        guard self.orientation <= 8 else {
            throw ValidationError("There is no orientation \(self.orientation): use 1 to 8 as in EXIF, or 0.")
        }
    }

    func run() throws {
        let configuration = try self.streamConfiguration()
        let overlays = try self.overlay.map { try OverlayNames(path: $0, pictureCount: self.pictures.count) }
        let engine = try OpenVINOTextEngine(
            models: try ModelFolder.path(flag: self.models),
            levels: [configuration.reading.level],
            workers: 1
        )
        do {
            try engine.validate(configuration.reading)
        } catch {
            throw Failure(error.message)
        }
        let worker = FrameWorker(reader: engine.makeReader(), limits: WireLimits())
        var output = Output(isJSON: self.json, hasHeadings: self.pictures.count > 1)
        var names = overlays
        var isAllRead = true
        for (index, path) in self.pictures.enumerated() {
            do {
                let frame = try PictureFrame(path: path, orientation: self.orientation)
                let result = worker.read(
                    frame.description,
                    payload: frame.payload.span.bytes,
                    configuration: configuration,
                    sequence: UInt64(index)
                )
                output.show(result, path: path)
                switch result.outcome {
                case .ok(let text): try names?.write(text, on: frame)
                case .error(let error): throw Failure("\(path): \(error.message)")
                case .dropped, .expired, .other: throw Failure("\(path): not read")
                }
            } catch {
                output.fail("\(error)")
                isAllRead = false
            }
        }
        if !isAllRead { throw ExitCode.failure }
    }

    private func streamConfiguration() throws -> StreamConfiguration {
        var reading = ReadingOptions(characters: self.characters)
        if let level = try Setting.value(self.level, environment: "LEVEL") { reading.level = level }
        reading.languages = self.languages?.split(separator: ",").map(String.init) ?? []
        return StreamConfiguration(coordinates: self.coordinates, reading: reading)
    }
}
