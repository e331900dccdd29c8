public import ArgumentParser
internal import FoundationEssentials
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
    var region: String?

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
            "A file with the server's access token; GLYPHWIRE_TOKEN_FILE is the default.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(help: ArgumentHelp("A name for the server's log.", valueName: "name"))
    var client: String?

    func validate() throws {
        if self.region != nil, self.regionNumbers == nil {
            throw ValidationError("--region takes four numbers separated by commas, such as 0,0.5,1,0.5")
        }
    }

    private var regionNumbers: [Double]? {
        let numbers = self.region?.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) } ?? []
        let known = numbers.compactMap { $0 }
        return known.count == 4 && numbers.count == 4 ? known : nil
    }

    /// Override with the given options, by their names in the protocol.
    ///
    /// - Parameter environment: The environment, which may name the token file.
    /// - Returns: The options to set.
    /// - Throws: `ReplayError` if the token file cannot be read.
    func override(environment: [String: String]) throws -> ConfigureOverride {
        var options: [String: JSONText] = [:]
        options["level"] = self.level.map { .string($0.rawValue) }
        options["recognize"] = self.recognize.map { .bool($0) }
        options["characters"] = self.characters.map { .bool($0) }
        options["coordinates"] = self.coordinates.map { .string($0.rawValue) }
        options["minimumTextHeight"] = self.minimumTextHeight.map { .number($0) }
        options["regionOfInterest"] = self.regionNumbers.map { .array($0.map { .number($0) }) }
        options["languages"] = self.languages.map { .array($0.split(separator: ",").map { .string(String($0)) }) }
        options["candidates"] = self.candidates.map { .integer($0) }
        options["delivery"] = self.delivery.map { .string($0.rawValue) }
        options["temporal"] = self.temporal.map { .bool($0) }
        if let path = self.tokenFile ?? environment["GLYPHWIRE_TOKEN_FILE"] {
            guard let file = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw ReplayError(.unreadable, "the token file \(path) cannot be read, or is not UTF-8")
            }
            let token = file.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
            options["token"] = .string(String(token))
        }
        options["client"] = self.client.map { .string($0) }
        for option in self.option { options[option.name] = option.value }
        return ConfigureOverride(options)
    }
}
