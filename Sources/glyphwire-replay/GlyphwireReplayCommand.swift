internal import ArgumentParser
internal import GlyphwireProtocol

@main
struct GlyphwireReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glyphwire-replay",
        abstract: "Record streams of pictures, play them to a Glyphwire server, and measure what it does.",
        discussion: """
            A session is a file that holds what a client sends, byte for byte; its name ends in .gws. So any client's \
            stream can be kept as a session, and a session can be sent by any means: nc HOST 7411 < SESSION.gws

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
