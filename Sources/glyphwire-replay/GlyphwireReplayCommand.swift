internal import ArgumentParser

@main
struct GlyphwireReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glyphwire-replay",
        abstract: "Record streams of pictures, and play them to a Glyphwire server.",
        discussion: """
            A session is a file that holds what a client sends, byte for byte; its name ends in .gws. So any client's \
            stream can be kept as a session, and a session can be sent by any means: nc HOST 7411 < SESSION.gws

            EXAMPLES
              glyphwire-replay record pictures/ --fps 10 --output walk.gws
              glyphwire-replay run walk.gws
              glyphwire-replay run walk.gws --connections 8 --loop 10 --level accurate
            """,
        subcommands: [RunCommand.self, RecordCommand.self]
    )
}
