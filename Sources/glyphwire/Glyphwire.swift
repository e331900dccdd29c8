internal import ArgumentParser
internal import GlyphwireServer

/// Command `glyphwire`.
@main
struct Glyphwire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glyphwire",
        abstract: "Reads text in live video and in pictures.",
        discussion: """
            A program connects over TCP, sends pictures, and gets one line of JSON for each: the text, and where its \
            lines, words and characters are.

            EXAMPLES
              glyphwire serve                       listen on 127.0.0.1:7411
              nc 127.0.0.1 7411 < session.gws       play a recorded session
              glyphwire read photo.jpg              print the text in a picture
              glyphwire doctor                      examine whether a server can run on this machine, and how fast
            """,
        version: "glyphwire \(GlyphwireServer.version)",
        subcommands: [Serve.self, Read.self, Doctor.self, Config.self]
    )
}
