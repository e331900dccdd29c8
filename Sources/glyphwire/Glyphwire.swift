internal import ArgumentParser
internal import GlyphwireServer
internal import TextModel

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
              glyphwire watch rtsp://camera/1       print what a camera reads
              glyphwire read photo.jpg              print the text in a picture
              glyphwire doctor                      examine whether this machine can serve
            """,
        version: "glyphwire \(GlyphwireServer.version)",
        subcommands: [Serve.self, Watch.self, Read.self, Doctor.self, Config.self]
    )

    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        if [Serve._commandName, Watch._commandName].contains(arguments.first) { HangupSignal.ignore() }
        StandardStreams.openMissing()
        if arguments.first == "help" { arguments = arguments.dropFirst() }
        if let argument = arguments.first, let advice = Self.advice(on: argument) {
            Self.exit(withError: ValidationError(advice))
        }
        await self.main(nil)
    }

    /// What to do instead, where an argument is neither a subcommand nor an option; `nil` if it is one.
    private static func advice(on argument: String) -> String? {
        let commands = self.configuration.subcommands.map { $0._commandName } + ["help"]
        guard !argument.hasPrefix("-"), !commands.contains(argument) else { return nil }
        guard access(argument, F_OK) == 0 else {
            let nearest = Spelling.nearest(to: argument, among: commands).map { " Did you mean '\($0)'?" }
            return "There is no command '\(argument)'.\(nearest ?? "")"
        }
        guard !RecordedSession.isAt(argument) else { return RecordedSession.advice(argument) }
        return "\(argument) is a file or folder, not a command. Read it with: glyphwire read \(argument)"
    }
}
