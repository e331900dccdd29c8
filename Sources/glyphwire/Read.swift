internal import ArgumentParser
internal import Foundation
internal import ImageCodecs
internal import FrameOverlay
internal import FramePipeline
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import TextModel
internal import TextRecognitionOpenVINO
internal import TextFormats

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Command `glyphwire read`, which reads picture files without a server.
struct Read: ParsableCommand {
    /// Time for a download, unless it is given: for a large picture over a slow line.
    private static let usualTimeout = Duration.seconds(30)

    static let configuration = CommandConfiguration(
        abstract: "Prints the text in pictures.",
        discussion: """
            Reads JPEG, PNG, WebP, TIFF, GIF and BMP files just as the server reads frames. A folder stands for all pictures \
            in it, @FILE for the pictures whose paths or addresses that file lists, one a line, and - for standard input. \
            Pictures at addresses (http://, https://) are downloaded. All are read by all cores and printed in order.

            A picture that cannot be read is reported on standard error, the others are still read, and the exit code is 1. \
            It is also 1 if --find finds nothing.

            FORMATS, each one document for all pictures (docs/formats.md in share/doc/glyphwire)
              text     the text, line by line
              json     the result lines of the protocol, numbered from 0
              tsv      a table in Tesseract's format
              hocr     hOCR 1.2
              alto     ALTO 4
              pdf      searchable PDF: the pictures, with their text invisibly over them
              google   the response of Google Cloud Vision to images:annotate
              vision   the content of Apple's VNRecognizedTextObservation, in JSON

            EXAMPLES
              glyphwire read photo.jpg               the text, line by line
              glyphwire read --format json *.jpg     the result lines, with boxes and times
              glyphwire read --format hocr scans/*.png --level accurate > scans.hocr
              glyphwire read photo.jpg --overlay boxes.png
              glyphwire read scans/ --format tsv > scans.tsv
              glyphwire read scans/ --format pdf --level accurate > scans.pdf
              glyphwire read https://example.org/sign.jpg
              curl -s https://example.org/sign.jpg | glyphwire read -
              glyphwire read photo.jpg --no-recognize --format json
              glyphwire read scans/*.png --level accurate --languages en,de
            """
    )

    @Argument(help: ArgumentHelp("Files, folders, addresses, @ and a list of them, or -.", valueName: "picture"))
    var pictures: [String]

    @Option(help: "What to print.")
    var format: TextFormat = .text

    @Flag(help: "Same as --format json.")
    var json = false

    @OptionGroup var reading: PictureOptions

    @Option(
        help: "The handling of a damaged JPEG: refuse (an error) or read (the part above the damage)."
    )
    var damaged: DamagedFrames = .refuse

    @Flag(inversion: .prefixedNo, help: "Recognize the text; without, only detect it, in less time.")
    var recognize = true

    @Flag(inversion: .prefixedNo, help: "Report the box of each character.")
    var characters = true

    @Option(
        help: ArgumentHelp(
            "The coordinates of the boxes; vision only with the formats json and vision. (default: sent)",
            valueName: "space"
        )
    )
    var coordinates: CoordinateSpace?

    @Option(
        help: ArgumentHelp(
            "Candidates of each line, the best first, in the formats json and vision.",
            valueName: "\(ReadingOptions.candidateCounts)"
        )
    )
    var candidates = 1

    @Option(
        help: ArgumentHelp(
            "Print only matches of this text or /regular expression/; may be repeated. The format is text, or json, "
                + "in which \"matches\" has their boxes.",
            valueName: "pattern"
        )
    )
    var find: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write the pictures with boxes, words in red and characters in blue, to this file or folder.",
            valueName: "file or folder"
        )
    )
    var overlay: String?

    @Option(help: ArgumentHelp("Threads that read pictures. (default: one for each core)", valueName: "count"))
    var workers: Int?

    @Option(help: ArgumentHelp("Time for the download of a picture. (default: 30s)", valueName: "time"))
    var timeout: String?

    @OptionGroup(title: "Limits")
    var limits: FrameLimitOptions

    @Option(help: ModelFolder.help)
    var models: String?

    @Option(help: NetworkCacheFolder.help)
    var networkCache: String?

    /// What to do instead, where an argument is the name of a format as if it were an option; `nil` if none is.
    static func advice(on arguments: some Sequence<String>) -> String? {
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            guard let format = TextFormat(rawValue: String(argument.dropFirst(2))), format != .json else { continue }
            return "There is no option \(argument): use --format \(format.rawValue)."
        }
        return nil
    }

    mutating func validate() throws {
        if self.json {
            guard [.text, .json].contains(self.format) else {
                throw ValidationError("--json is --format json: leave one of them out.")
            }
            self.format = .json
        }
        try EnvironmentCheck.validate(ProcessInfo.processInfo.environment)
        try WorkerCount.validate(self.workers)
        if let timeout = self.timeout, Interval(timeout) == nil {
            throw ValidationError("The timeout cannot be \(timeout): use a time such as 500ms or 10s.")
        }
        let counts = ReadingOptions.candidateCounts
        guard counts.contains(self.candidates) else {
            throw ValidationError(
                "There cannot be \(self.candidates) candidates: use \(counts.lowerBound) to \(counts.upperBound)."
            )
        }
        guard self.recognize || ![.text, .pdf].contains(self.format) else {
            throw ValidationError("--no-recognize gives no text to print: use another --format.")
        }
        guard self.recognize || self.find.isEmpty else {
            throw ValidationError("--no-recognize gives no text for --find: use one of them.")
        }
        guard self.find.isEmpty || self.format.hasMatches else {
            throw ValidationError("The format \(self.format.rawValue) has no matches for --find: use text or json.")
        }
        if let coordinates = self.coordinates, !self.format.coordinates.contains(coordinates) {
            let allowed = self.format.coordinates.map(\.rawValue).joined(separator: " or ")
            throw ValidationError(
                "The format \(self.format.rawValue) has no boxes in the coordinates \(coordinates.rawValue): use \(allowed)."
            )
        }
    }

    func run() throws {
        let configuration = try self.streamConfiguration()
        let pictures = try PictureList(self.pictures).paths
        guard !InputFiles(pictures).contains("/dev/stdout") else {
            throw Failure("Standard output is one of the pictures that are read: write it to another file.")
        }
        let places = pictures.map(PicturePlace.init)
        let overlays = try self.overlay.map { try OverlayNames(path: $0, pictures: pictures).paths } ?? []
        let workers = min(self.workers ?? SystemCores.count, WorkerCount.allowed.upperBound)
        let engine = try OpenVINOTextEngine.load(
            [configuration.reading.level],
            models: self.models,
            cache: self.networkCache,
            memory: SystemMemory.forNetworks(workers: workers)
        )
        try engine.check(configuration)
        let settings = PictureReader.Settings(
            configuration: configuration,
            orientation: self.reading.orientation,
            limits: try self.limits.limits(),
            embedsPictures: self.format.embedsPictures,
            timeout: self.downloadTimeout
        )
        var document = Document(
            output: Output(
                self.format.makeWriter(pictures: places.map(\.name), languages: configuration.reading.languages)
            ),
            progress: Progress(count: pictures.count),
            // In JSON, the result lines include them.
            showsWarnings: self.format != .json
        )
        do {
            try document.begin()
            try ReadingPool(places: places, overlays: overlays, workers: workers)
                .read(with: engine, settings: settings) { try document.show($0) }
            try document.end()
        } catch {
            // Threads may still be reading; `exit` would destroy the runtime under them.
            StandardError.write("glyphwire: \(error)\n")
            _exit(EXIT_FAILURE)
        }
        let isFound = configuration.find.isEmpty || document.matchCount > 0
        // The process exits before its networks are freed one by one, which takes longer than reading a picture.
        withExtendedLifetime(engine) {
            _exit(document.isComplete && isFound ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    private var downloadTimeout: Duration { self.timeout.flatMap { Interval($0)?.duration } ?? Self.usualTimeout }

    private func streamConfiguration() throws -> StreamConfiguration {
        var reading = ReadingOptions(recognize: self.recognize, characters: self.characters)
        try self.reading.apply(to: &reading)
        reading.candidates = self.candidates
        var configuration = StreamConfiguration(
            coordinates: self.coordinates ?? self.format.coordinates.first ?? .sent,
            damaged: self.damaged,
            reading: reading
        )
        configuration.find = try Patterns.compile(self.find)
        return configuration
    }
}
