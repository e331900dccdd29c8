internal import ArgumentParser
internal import GlyphwireReplay

struct MergeCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Join several sessions into one.",
        discussion: """
            Frames are numbered from 1, and their times continue from session to session. Each session keeps its own \
            options.

            EXAMPLE
              glyphwire-replay merge morning.gws evening.gws --output day.gws
            """
    )

    @Argument(help: "The sessions, in their order.", completion: .file(extensions: ["gws"]))
    var sessions: [String]

    @Option(name: .shortAndLong, help: ArgumentHelp("The session to write.", valueName: "file.gws"))
    var output: String

    func run(_ console: Console) throws {
        console.report(try SessionEditor.merge(self.sessions, to: self.output), in: self.output)
    }
}
