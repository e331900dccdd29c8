internal import ArgumentParser
internal import CommandInput
internal import FoundationEssentials
internal import GlyphwireProtocol
internal import NIOCore
internal import TextModel
internal import VideoSources

/// Options of the sources of `watch`, and what follows from them.
struct WatchOptions: ParsableArguments {
    /// Time between two snapshots, unless it is given.
    private static let usualInterval = Duration.seconds(1)
    /// Host of a camera in examples.
    private static let exampleHost = "192.168.1.20"

    @Argument(
        help: ArgumentHelp(
            "Addresses of cameras, video devices and video files, each with a name in front if wanted: gate=rtsp://10.0.0.7/1",
            valueName: "source"
        )
    )
    var sources: [String] = []

    @Option(
        help: ArgumentHelp("A file with more sources, each with its own options, in YAML or JSON.", valueName: "file")
    )
    var config: String?

    @OptionGroup var reading: PictureOptions

    @Option(
        help: ArgumentHelp(
            "Report only matches of this text or /regular expression/; may be repeated.",
            valueName: "pattern"
        )
    )
    var find: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read only this part: x, y, width and height as fractions of the upright picture, such as 0,0.8,1,0.2.",
            valueName: "x,y,w,h"
        )
    )
    var region: Region?

    @Option(
        help: ArgumentHelp("Frames a second to take at most; of a file, all by default.", valueName: "rate")
    )
    var rate: String?

    @Option(help: ArgumentHelp("Time between two snapshots, such as 500ms or 5m. (default: 1s)", valueName: "time"))
    var every: String?

    func validate() throws {
        guard !self.sources.isEmpty || self.config != nil else {
            throw ValidationError(
                "Name a source, such as rtsp://camera/1, /dev/video0 or film.mp4, or a file with --config."
            )
        }
        if let rate = self.rate, FrameRate(rate) == nil {
            throw ValidationError("The rate cannot be \(rate): use a number of frames a second.")
        }
        if let every = self.every, Interval(every) == nil {
            throw ValidationError("The interval cannot be \(every): use a time such as 2s, 500ms or 5m.")
        }
    }

    /// All sources, with distinct names.
    ///
    /// - Parameter token: The token of the server, if it requires one.
    /// - Returns: At least one source.
    /// - Throws: ``Failure``, ``SourceError``, or `ValidationError`.
    func watchedSources(token: String?) throws -> [WatchedSource] {
        let defaults = WatchedSource(
            name: "",
            address: .file(""),
            configuration: try self.streamConfiguration(token: token),
            orientation: Orientation(rawValue: self.reading.orientation),
            rate: self.rate.flatMap { FrameRate($0) },
            interval: self.every.flatMap { Interval($0)?.duration } ?? Self.usualInterval
        )
        var sources = try self.sources.map { text in
            let (name, address) = try WatchedSource.split(text)
            var source = defaults
            source.address = address
            source.name = name ?? address.name
            return source
        }
        if let config { sources += try SourceFile.read(config, defaults: defaults) }
        guard !sources.isEmpty else { throw Failure("There is no source: name one, or list some in the file.") }
        var names: Set<String> = []
        for index in sources.indices {
            try Self.check(name: sources[index].name)
            guard names.insert(sources[index].name).inserted else {
                throw Failure("Two sources are called \(sources[index].name): name them, as in gate=rtsp://10.0.0.7/1.")
            }
            sources[index].configuration.client = String(
                String.UnicodeScalarView(
                    sources[index].name.unicodeScalars.prefix(StreamOption.nameLengths.upperBound)
                )
            )
            // Changes are found here, across connections.
            sources[index].configuration.report = .all
            if case .file(let path) = sources[index].address {
                try Self.requireFile(path)
                // Every frame counts, and what is unchanged is not read again.
                (sources[index].configuration.delivery, sources[index].configuration.temporal) = (.every, true)
            }
        }
        return sources
    }

    /// Checks that a name can stand in events, logs and topics.
    private static func check(name: String) throws(Failure) {
        guard !name.isEmpty, !name.unicodeScalars.contains(where: \.isControl) else {
            throw Failure(
                "A source cannot be called \(name.debugDescription): use at least one character, and no control characters or "
                    + "line separators."
            )
        }
    }

    private static func requireFile(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            let host = Self.ipv4Host(of: path) ?? Self.exampleHost
            throw Failure(
                "There is no file \(path); a camera needs its whole address, such as rtsp://\(host)/… or http://\(host)/…, "
                    + "a webcam /dev/video0."
            )
        }
        guard !ModelFolder.isFolder(path) else {
            throw Failure(
                "\(path) is a folder, and a source is a camera, an address or a video file. "
                    + "'glyphwire read' reads the pictures of a folder."
            )
        }
    }

    /// The IPv4 address with which a text begins, such as that of a camera; `nil` for any other text.
    private static func ipv4Host(of text: String) -> String? {
        let host = String(text.prefix { $0 != ":" && $0 != "/" })
        guard case .v4? = try? SocketAddress(ipAddress: host, port: 0) else { return nil }
        return host
    }

    private func streamConfiguration(token: String?) throws -> StreamConfiguration {
        var reading = ReadingOptions(characters: false)
        try self.reading.apply(to: &reading)
        reading.regionOfInterest = self.region ?? .full
        var configuration = StreamConfiguration(token: token, reading: reading)
        configuration.find = try Patterns.compile(self.find)
        return configuration
    }
}
