public import ArgumentParser
internal import CommandInput
public import GlyphwireProtocol
public import TextModel
internal import GlyphwireReplay

extension RecognitionLevel: ExpressibleByArgument {}
extension CoordinateSpace: ExpressibleByArgument {}
extension Delivery: ExpressibleByArgument {}
extension Orientation: ExpressibleByArgument {}
extension Recorder.Format: ExpressibleByArgument {}

/// Options of `configure` that override a session's.
struct StreamOptions: ParsableArguments {
    @Option(help: "The recognition level.")
    var level: RecognitionLevel?

    @Flag(inversion: .prefixedNo, help: "Recognize text, or only detect boxes.")
    var recognize: Bool?

    @Flag(inversion: .prefixedNo, help: "Report the characters of words, or leave them out.")
    var characters: Bool?

    @Option(help: "The coordinate space of boxes.")
    var coordinates: CoordinateSpace?

    @Option(help: "Omit lines lower than this fraction of the picture's height.")
    var minimumTextHeight: Double?

    @Option(
        help: ArgumentHelp(
            "The part of the picture to read, as four fractions of the upright picture.",
            valueName: "x,y,width,height"
        )
    )
    var region: Region?

    @Option(help: ArgumentHelp("The languages to expect, such as en,de.", valueName: "codes"))
    var languages: String?

    @Option(help: ArgumentHelp("Candidates to report for each line, 1 to 10.", valueName: "count"))
    var candidates: Int?

    @Option(help: "Let newer frames supersede waiting ones (live), or read every frame (every).")
    var delivery: Delivery?

    @Flag(inversion: .prefixedNo, help: "Track text from frame to frame, or read each frame on its own.")
    var temporal: Bool?

    @Option(
        help: ArgumentHelp(
            "Any option of Protocol.md, such as upright=auto or 'find=[\"exit\"]'.",
            discussion: "May be given several times.",
            valueName: "name=value"
        )
    )
    var option: [NamedOption] = []

    @Option(
        help: ArgumentHelp(
            "A file with the server's access token, of several the first; GLYPHWIRE_TOKEN_FILE is the default.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(help: ArgumentHelp("A name for the server's log.", valueName: "name"))
    var client: String?

    /// Override with the given options, by their names in the protocol.
    ///
    /// - Parameter environment: The environment, which may name the token file.
    /// - Returns: The options to set.
    /// - Throws: `InputError` if the token file cannot be used.
    func override(environment: [String: String]) throws -> ConfigureOverride {
        var options: [String: JSONText] = [:]
        options["level"] = self.level.map { .string($0.rawValue) }
        options["recognize"] = self.recognize.map { .bool($0) }
        options["characters"] = self.characters.map { .bool($0) }
        options["coordinates"] = self.coordinates.map { .string($0.rawValue) }
        options["minimumTextHeight"] = self.minimumTextHeight.map { .number($0) }
        options["regionOfInterest"] = self.region.map { region in
            .array([region.x, region.y, region.width, region.height].map { .number($0) })
        }
        options["languages"] = self.languages.map { .array($0.split(separator: ",").map { .string(String($0)) }) }
        options["candidates"] = self.candidates.map { .integer($0) }
        options["delivery"] = self.delivery.map { .string($0.rawValue) }
        options["temporal"] = self.temporal.map { .bool($0) }
        // An empty variable is none, as for the server.
        let variable = environment["GLYPHWIRE_TOKEN_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        if let path = self.tokenFile ?? variable {
            options["token"] = try TokenFile(path, for: .client).tokens.first.map { .string($0.secret) }
        }
        options["client"] = self.client.map { .string($0) }
        for option in self.option { options[option.name] = option.value }
        return ConfigureOverride(options)
    }
}
