internal import ArgumentParser
internal import GlyphwireProtocol

@main
struct GlyphwireReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glyphwire-replay",
        abstract: "Record streams of pictures, play them to a Glyphwire server, and measure its results.",
        discussion: """
            A session is a file with the bytes that a client sends; its name ends in .gws. Any client's \
            stream can be recorded as a session, and a session can be sent with any tool: nc HOST 7411 < SESSION.gws

            EXAMPLES
              glyphwire-replay record pictures/ --fps 10 --output walk.gws
              glyphwire-replay run walk.gws
              glyphwire-replay run walk.gws --connections 8 --report eight.html
              glyphwire-replay compare before.json after.json
            """,
        version: SoftwareVersion.current,
        subcommands: [
            RunCommand.self, RecordCommand.self, InfoCommand.self, CutCommand.self, MergeCommand.self,
            ExportCommand.self, CompareCommand.self,
        ]
    )
}
