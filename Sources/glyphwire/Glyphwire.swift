internal import ArgumentParser
internal import GlyphwireServer

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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
              glyphwire watch rtsp://camera/1       print what a camera reads, as it appears and goes
              glyphwire read photo.jpg              print the text in a picture
              glyphwire doctor                      examine whether a server can run on this machine, and how fast
            """,
        version: "glyphwire \(GlyphwireServer.version)",
        subcommands: [Serve.self, Watch.self, Read.self, Doctor.self, Config.self]
    )

    static func main() async {
        if let path = CommandLine.arguments.dropFirst().first, let advice = Self.advice(onFile: path) {
            Self.exit(withError: ValidationError(advice))
        }
        await self.main(nil)
    }

    /// What to do with a file that stands where a subcommand belongs; `nil` if there is no file at `path`.
    private static func advice(onFile path: String) -> String? {
        guard !self.configuration.subcommands.contains(where: { $0._commandName == path }), access(path, F_OK) == 0
        else {
            return nil
        }
        guard !RecordedSession.isAt(path) else { return RecordedSession.advice(path) }
        return "\(path) is a file or folder, not a command. Read it with: glyphwire read \(path)"
    }
}
