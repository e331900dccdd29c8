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
        await self.parseAndRun()
    }

    /// Runs the command that the arguments name.
    ///
    /// A mistake in settings may be found while it runs; its message shows the usage of that command, not of the program.
    @concurrent private static func parseAndRun() async {
        do {
            var command = try await Self.asyncParseAsRoot()
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                let usage = Self.usageString(for: type(of: command))
                StandardError.write("Error: \(error)\nUsage: \(usage)\n")
                throw ExitCode.validationFailure
            }
        } catch {
            Self.exit(withError: error)
        }
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
