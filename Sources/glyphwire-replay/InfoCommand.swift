internal import ArgumentParser
internal import GlyphwireReplay

struct InfoCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what is in a session: frames, pace, formats, sizes, options.",
        discussion: """
            EXIT STATUS
              0  the session holds at least one whole frame; a truncated end is reported
              1  the file cannot be read, is no session, or the output cannot be written
            """
    )

    @Argument(help: "The session, a .gws file.", completion: .file(extensions: ["gws"]))
    var session: String

    @Flag(help: "Print JSON.")
    var json = false

    func run(_ console: Console) throws {
        let info = try SessionInfo(path: self.session)
        console.output(self.json ? try info.json() : info.text)
    }
}
