internal import ArgumentParser
internal import GlyphwireReplay

struct CutCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "cut",
        abstract: "Extract a part of a session.",
        discussion: """
            Frames keep their numbers and times. The options in effect where the part begins are written at its start.

            EXAMPLE
              glyphwire-replay cut walk.gws --start 10 --until 20 --output door.gws
            """
    )

    @Argument(help: "The session, a .gws file.", completion: .file(extensions: ["gws"]))
    var session: String

    @OptionGroup var part: SessionPart

    @Option(name: .shortAndLong, help: ArgumentHelp("The session to write.", valueName: "file.gws"))
    var output: String

    func run(_ console: Console) throws {
        console.report(
            try SessionEditor.cut(self.session, window: self.part.window, to: self.output),
            in: self.output
        )
    }
}
